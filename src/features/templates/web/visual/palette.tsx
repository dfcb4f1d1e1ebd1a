import { useDraggable } from '@dnd-kit/core';
import { ActionIcon, Kbd, TextInput } from '@mantine/core';
import {
  IconBrandFramer,
  IconClick,
  IconCode,
  IconColumns1,
  IconColumns2,
  IconColumns3,
  IconH1,
  IconLayoutColumns,
  IconLayoutRows,
  IconMenu2,
  IconPhoto,
  IconSearch,
  IconSeparatorHorizontal,
  IconShare,
  IconShoppingBag,
  IconSpacingVertical,
  IconTallymark4,
  IconTrash,
  IconTypography,
} from '@tabler/icons-react';
import { Fragment, type KeyboardEvent, useState } from 'react';
import type { Icon } from '#platform/web/icon.ts';
import type { BlockType } from '../../rules/document/block-words.ts';
import { blockNames } from '../../rules/document/block-words.ts';
import type { Editor } from './use-editor.ts';
import classes from './visual.module.css';
import type { SavedBlock, VisualEditorProps } from './visual-props.ts';

export const blockIcons: Record<BlockType, Icon> = {
  text: IconTypography,
  heading: IconH1,
  image: IconPhoto,
  logo: IconBrandFramer,
  button: IconClick,
  divider: IconSeparatorHorizontal,
  spacer: IconSpacingVertical,
  social: IconShare,
  menu: IconMenu2,
  product: IconShoppingBag,
  footer: IconLayoutRows,
  html: IconCode,
  columns: IconLayoutColumns,
};

const content: BlockType[] = [
  'text',
  'heading',
  'image',
  'button',
  'divider',
  'spacer',
  'product',
  'social',
  'menu',
  'logo',
  'footer',
  'html',
];

const columns = [
  { count: 1, label: 'One', icon: IconColumns1 },
  { count: 2, label: 'Two', icon: IconColumns2 },
  { count: 3, label: 'Three', icon: IconColumns3 },
  { count: 4, label: 'Four', icon: IconTallymark4 },
];

/** What a dragged entry of the palette makes where it is dropped. */
export interface NewEntry {
  type: BlockType;
  columns?: number;
  saved?: SavedBlock;
}

interface PaletteProps extends Pick<VisualEditorProps, 'savedBlocks' | 'onDeleteSavedBlock'> {
  editor: Editor;
}

/** Something that can be added. */
interface Offered extends Omit<EntryProps, 'id'> {
  id: string;
  saved?: SavedBlock;
}

function offeredBy(editor: Editor, savedBlocks: readonly SavedBlock[]): { title: string; all: Offered[] }[] {
  return [
    {
      title: 'Content',
      all: content.map((type) => ({
        id: `new ${type}`,
        icon: blockIcons[type],
        label: type === 'social' ? 'Social' : blockNames[type],
        name: `Add ${blockNames[type]}`,
        entry: { type },
        onAdd: () => editor.add(type),
      })),
    },
    {
      title: 'Columns',
      all: columns.map(({ count, label, icon }) => ({
        id: `new columns ${count}`,
        icon,
        label,
        name: count === 1 ? 'Add one column' : `Add ${label.toLowerCase()} columns`,
        entry: { type: 'columns', columns: count },
        onAdd: () => editor.add('columns', count),
      })),
    },
    {
      title: 'Saved blocks',
      all: savedBlocks.map((saved) => ({
        id: `saved ${saved.id}`,
        icon: blockIcons[saved.type],
        label: saved.name,
        name: `Add ${saved.name}`,
        entry: { type: saved.type, saved },
        onAdd: () => void editor.putSaved(saved.id),
        saved,
      })),
    },
  ];
}

/** All that can be added: pressed, it goes after what is selected; dragged, where it is dropped. */
export function Palette({ editor, savedBlocks = [], onDeleteSavedBlock }: PaletteProps) {
  const [search, setSearch] = useState('');
  const sought = search.trim().toLowerCase();
  const groups = offeredBy(editor, savedBlocks)
    .map(({ title, all }) => ({ title, all: all.filter(({ name }) => name.toLowerCase().includes(sought)) }))
    .filter(({ all }) => all.length > 0);
  const onKeyDown = (event: KeyboardEvent) => {
    const first = groups[0]?.all[0];
    if (event.key === 'Enter' && sought !== '' && first) first.onAdd();
    else if (event.key === 'Escape') editor.select(editor.selected?.id ?? null, true);
    else return;
    event.preventDefault();
    setSearch('');
  };
  return (
    <div className={classes.palette}>
      <TextInput
        size="xs"
        aria-label="Find a block"
        placeholder="Find a block"
        leftSection={<IconSearch size={14} stroke={1.6} />}
        value={search}
        onChange={({ currentTarget: { value } }) => setSearch(value)}
        onKeyDown={onKeyDown}
      />
      {groups.map(({ title, all }) => (
        <Fragment key={title}>
          <h3>
            {title} {title === 'Saved blocks' && <span>{savedBlocks.length}</span>}
          </h3>
          <div className={title === 'Saved blocks' ? classes.savedBlocks : classes.tiles}>
            {all.map(({ saved, ...entry }) =>
              saved ? (
                <SavedEntry key={entry.id} {...entry} saved={saved} onDelete={onDeleteSavedBlock} />
              ) : (
                <Entry key={entry.id} {...entry} />
              ),
            )}
          </div>
        </Fragment>
      ))}
      {groups.length === 0 && <p className={classes.hint}>No block has this in its name.</p>}
      <p className={classes.paletteKeys}>
        <span>
          <Kbd size="xs">/</Kbd> add a block
        </span>
        <span>
          <Kbd size="xs">Alt ↑↓</Kbd> move
        </span>
      </p>
    </div>
  );
}

interface SavedEntryProps extends EntryProps {
  saved: SavedBlock;
  onDelete: VisualEditorProps['onDeleteSavedBlock'];
}

const SavedEntry = ({ saved, onDelete, ...entry }: SavedEntryProps) => (
  <div className={classes.saved}>
    <Entry {...entry} />
    {onDelete && (
      <ActionIcon
        size={28}
        aria-label={`Delete the saved block ${saved.name}`}
        onClick={() => void onDelete(saved.id)}
      >
        <IconTrash size={14} stroke={1.6} />
      </ActionIcon>
    )}
  </div>
);

interface EntryProps {
  id: string;
  icon: Icon;
  label: string;
  name: string;
  entry: NewEntry;
  onAdd: () => void;
}

function Entry({ id, icon: Icon, label, name, entry, onAdd }: EntryProps) {
  const { setNodeRef, listeners, isDragging } = useDraggable({ id, data: { entry, name: label } });
  return (
    <button
      ref={setNodeRef}
      {...listeners}
      type="button"
      className={classes.tile}
      aria-label={name}
      data-dragged={isDragging || undefined}
      onClick={onAdd}
    >
      <Icon size={16} stroke={1.6} />
      <span>{label}</span>
    </button>
  );
}
