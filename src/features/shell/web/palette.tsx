import '@mantine/spotlight/styles.layer.css';
import { Spotlight, spotlight } from '@mantine/spotlight';
import { IconSearch } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { useCurrentUser } from '#features/identity/web/index.ts';
import type { Icon, PaletteCommand } from '#platform/web/feature.ts';
import { useFeatures } from '#platform/web/router.tsx';
import classes from './palette.module.css';
import { matching } from './palette-matching.ts';

/** Search or go to: screens, things to do, and a search for what is typed. Opens on ⌘K or Ctrl K. */
export function Palette() {
  const [query, setQuery] = useState('');
  const features = useFeatures();
  const { isAdmin } = useCurrentUser();
  const navigate = useNavigate();
  const { screens, commands, searches } = useMemo(
    () => ({
      screens: features
        .flatMap(({ nav }) => nav ?? [])
        .filter(({ adminOnly }) => isAdmin || !adminOnly)
        .map(({ label, to, icon }) => ({ label, to, icon })),
      commands: features.flatMap((feature) => feature.commands ?? []),
      searches: features.flatMap(({ textSearch }) => textSearch ?? []),
    }),
    [features, isAdmin],
  );
  const go = ({ to, search }: Pick<PaletteCommand, 'to' | 'search'>) => {
    spotlight.close();
    void navigate({ to, search: search ?? {} });
  };
  const typed = query.trim();
  const found = { screens: matching(screens, typed), commands: matching(commands, typed) };
  const nothing =
    found.screens.length + found.commands.length === 0 && (typed === '' || searches.length === 0);
  return (
    <Spotlight.Root
      query={query}
      onQueryChange={setQuery}
      shortcut={['mod + K']}
      tagsToIgnore={[]}
      overlayProps={{ backgroundOpacity: 0.4, blur: 0 }}
      transitionProps={{ duration: 80, transition: 'fade', timingFunction: 'ease-out' }}
      size={560}
      radius="xl"
      attributes={{ content: { 'aria-label': 'Search or go to' } }}
      classNames={{
        content: classes.content,
        search: classes.search,
        action: classes.action,
        actionsGroup: classes.group,
        actionsList: classes.list,
      }}
    >
      <Spotlight.Search
        placeholder="Search or go to"
        aria-label="Search or go to"
        leftSection={<IconSearch size={18} stroke={1.6} />}
      />
      <Spotlight.ActionsList>
        {found.commands.length > 0 && (
          <Spotlight.ActionsGroup label="Do">
            {found.commands.map((command) => (
              <Entry key={command.label} {...command} onClick={() => go(command)} />
            ))}
          </Spotlight.ActionsGroup>
        )}
        {found.screens.length > 0 && (
          <Spotlight.ActionsGroup label="Go to">
            {found.screens.map((screen) => (
              <Entry key={screen.to} {...screen} onClick={() => go(screen)} />
            ))}
          </Spotlight.ActionsGroup>
        )}
        {typed !== '' && searches.length > 0 && (
          <Spotlight.ActionsGroup label="Find">
            {searches.map(({ label, to, field, icon }) => (
              <Entry
                key={to}
                label={`${label} “${typed}”`}
                icon={icon}
                onClick={() => go({ to, search: { [field]: typed } })}
              />
            ))}
          </Spotlight.ActionsGroup>
        )}
        {nothing && <Spotlight.Empty>Nothing found. Try the name of a screen.</Spotlight.Empty>}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  );
}

function Entry(props: { label: string; description?: string; icon: Icon; onClick: () => void }) {
  const { label, description, icon: EntryIcon, onClick } = props;
  return (
    <Spotlight.Action onClick={onClick} closeSpotlightOnTrigger={false}>
      <EntryIcon size={17} stroke={1.6} className={classes.icon} />
      <span className={classes.label}>{label}</span>
      {description && <span className={classes.description}>{description}</span>}
    </Spotlight.Action>
  );
}
