import '@mantine/spotlight/styles.layer.css';
import { Spotlight, type SpotlightRootProps } from '@mantine/spotlight';
import { IconSearch } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { useFeatures } from '#platform/web/router.tsx';
import classes from './palette.module.css';
import { type PaletteEntry, useShellEntries } from './palette-entries.ts';
import { usePaletteFinds } from './palette-finds.ts';
import { groupsFor } from './palette-groups.ts';
import { noteRecent, recentLabels } from './palette-recent.ts';
import { palette, paletteStore, selectFirst } from './palette-store.ts';
import { useEntries } from './use-entries.ts';

/** The field takes the focus as soon as it appears, so that text typed at once is not lost. */
const takeFocus = (field: HTMLInputElement | null) => field?.focus();

/** What the palette offers for the typed text, in its groups. */
function useOffers(opened: boolean, typed: string, recent: readonly string[]) {
  const features = useFeatures();
  const { screens, commands } = useEntries();
  const own = useShellEntries(opened);
  const { finds, isFinding } = usePaletteFinds(opened ? typed : '');
  const searches = useMemo(() => features.flatMap(({ textSearch }) => textSearch ?? []), [features]);
  const known: PaletteEntry[] = [...commands, ...own, ...screens];
  const groups = groupsFor<PaletteEntry>(
    {
      places: [...screens, ...commands.filter(({ isPlace }) => isPlace)],
      actions: [...commands.filter(({ isPlace }) => !isPlace), ...own],
      finds,
    },
    typed,
  );
  const count = groups.reduce((sum, { entries }) => sum + entries.length, 0);
  return {
    groups,
    recent: typed === '' ? recent.flatMap((label) => known.find((entry) => entry.label === label) ?? []) : [],
    searches:
      typed === ''
        ? []
        : searches.map(({ label, to, field, icon }) => ({
            label: `${label} “${typed}”`,
            icon,
            to,
            search: { [field]: typed },
          })),
    count,
    isFinding,
    nothing: count === 0 && !isFinding && (typed === '' || searches.length === 0),
  };
}

/** Search or go to: screens, actions, and a search for the typed text. Opens on ⌘K or Ctrl K. */
export function Palette() {
  const [query, setQuery] = useState('');
  const [opened, setOpened] = useState(false);
  const [recent, setRecent] = useState(recentLabels);
  const navigate = useNavigate();
  const typed = query.trim();
  const offers = useOffers(opened, typed, recent);
  const go = (entry: PaletteEntry) => {
    palette.close();
    if (entry.run) void entry.run();
    else if (entry.to !== undefined) void navigate({ to: entry.to, search: entry.search ?? {} });
  };
  /** Screens and actions are remembered; people's addresses are not. */
  const goKnown = (entry: PaletteEntry) => {
    setRecent(noteRecent(entry.label));
    go(entry);
  };
  const moved = useFirstSelected(
    typed,
    offers.groups.flatMap(({ entries: some }) => some.map(keyOf)).join('\n'),
  );
  const entries = (some: readonly PaletteEntry[], onGo: (entry: PaletteEntry) => void) =>
    some.map((entry) => <Entry key={keyOf(entry)} entry={entry} onGo={onGo} />);
  return (
    <Spotlight.Root
      store={paletteStore}
      query={query}
      onQueryChange={setQuery}
      onSpotlightOpen={() => setOpened(true)}
      onSpotlightClose={() => setOpened(false)}
      {...rootLook}
    >
      <Spotlight.Search
        ref={takeFocus}
        placeholder="Search or go to"
        aria-label="Search or go to"
        maxLength={320}
        onKeyDown={({ key }) => {
          if (key === 'ArrowDown' || key === 'ArrowUp') moved.current = true;
        }}
        leftSection={<IconSearch size={18} stroke={1.6} />}
      />
      <Spotlight.ActionsList>
        {group('Recent', entries(offers.recent, goKnown))}
        {offers.groups.map(({ label, entries: some }) =>
          group(label, entries(some, label === 'Contacts' ? go : goKnown)),
        )}
        {group('Find', entries(offers.searches, go))}
        {offers.nothing && <Spotlight.Empty>Nothing found. Try the name of a screen.</Spotlight.Empty>}
      </Spotlight.ActionsList>
      <span className={classes.hidden} role="status">
        {opened && typed !== '' && !offers.isFinding ? `${offers.count} found` : ''}
      </span>
    </Spotlight.Root>
  );
}

const rootLook = {
  shortcut: ['mod + K'],
  tagsToIgnore: [],
  overlayProps: { backgroundOpacity: 0.4, blur: 0 },
  transitionProps: { duration: 0 },
  size: 560,
  radius: 'xl',
  attributes: { content: { 'aria-label': 'Search or go to' } },
  classNames: {
    content: classes.content,
    search: classes.search,
    action: classes.action,
    actionsGroup: classes.group,
    actionsList: classes.list,
  },
} satisfies Partial<SpotlightRootProps>;

const keyOf = ({ key, label, to }: PaletteEntry): string => key ?? `${label} ${to ?? ''}`;

/**
 * Selects the first entry again whenever the entries change, because search results arrive after
 * typing and come first. Stops once somebody has used the arrow keys, until they type again.
 * Returns the ref that notes the arrow keys.
 */
function useFirstSelected(typed: string, keys: string) {
  const moved = useRef(false);
  useEffect(() => {
    moved.current = false;
  }, [typed]);
  useEffect(() => {
    if (typed !== '' && !moved.current) selectFirst();
  }, [typed, keys]);
  return moved;
}

const group = (label: string, entries: ReactNode[]) =>
  entries.length > 0 && (
    <Spotlight.ActionsGroup key={label} label={label}>
      {entries}
    </Spotlight.ActionsGroup>
  );

interface EntryProps {
  entry: PaletteEntry;
  onGo: (entry: PaletteEntry) => void;
}

function Entry({ entry, onGo }: EntryProps) {
  const { label, description, goKey, icon: EntryIcon } = entry;
  return (
    <Spotlight.Action onClick={() => onGo(entry)} closeSpotlightOnTrigger={false}>
      <EntryIcon size={17} stroke={1.6} className={classes.icon} />
      <span className={classes.label}>{label}</span>
      {description && <span className={classes.description}>{description}</span>}
      {goKey && (
        <span className={classes.keys} aria-hidden>
          <kbd>G</kbd> <kbd>{goKey.toUpperCase()}</kbd>
        </span>
      )}
    </Spotlight.Action>
  );
}
