import { useDraggable } from '@dnd-kit/core';
import { ActionIcon, Kbd } from '@mantine/core';
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
  IconPhoto,
  IconRectangle,
  IconSeparatorHorizontal,
  IconShare,
  IconShoppingBag,
  IconSpacingVertical,
  IconTrash,
  IconTypography,
} from '@tabler/icons-react';
import type { Icon } from '#platform/web/icon.ts';
import type { BlockType } from '../../rules/document/block-words.ts';
import { blockNames } from '../../rules/document/block-words.ts';
import { withNewIds } from '../../rules/document/edits.ts';
import { newId } from './new-id.ts';
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
  'logo',
  'footer',
  'html',
];

const columns = [
  { count: 1, label: 'One', icon: IconColumns1 },
  { count: 2, label: 'Two', icon: IconColumns2 },
  { count: 3, label: 'Three', icon: IconColumns3 },
  { count: 4, label: 'Four', icon: IconRectangle },
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

/** All that can be added: pressed, it goes after what is selected; dragged, where it is dropped. */
export function Palette({ editor, savedBlocks = [], onDeleteSavedBlock }: PaletteProps) {
  return (
    <div className={classes.palette}>
      <h3>Content</h3>
      <div className={classes.tiles}>
        {content.map((type) => (
          <Entry
            key={type}
            id={`new ${type}`}
            icon={blockIcons[type]}
            label={type === 'social' ? 'Social' : blockNames[type]}
            name={`Add ${blockNames[type]}`}
            entry={{ type }}
            onAdd={() => editor.add(type)}
          />
        ))}
      </div>
      <h3>Columns</h3>
      <div className={classes.tiles}>
        {columns.map(({ count, label, icon }) => (
          <Entry
            key={count}
            id={`new columns ${count}`}
            icon={icon}
            label={label}
            name={count === 1 ? 'Add one column' : `Add ${label.toLowerCase()} columns`}
            entry={{ type: 'columns', columns: count }}
            onAdd={() => editor.add('columns', count)}
          />
        ))}
      </div>
      {savedBlocks.length > 0 && (
        <>
          <h3>
            Saved blocks <span>{savedBlocks.length}</span>
          </h3>
          {savedBlocks.map((saved) => (
            <div key={saved.id} className={classes.saved}>
              <Entry
                id={`saved ${saved.id}`}
                icon={blockIcons[saved.block.type]}
                label={saved.name}
                name={`Add ${saved.name}`}
                entry={{ type: saved.block.type, saved }}
                onAdd={() => editor.put(withNewIds(saved.block, newId))}
              />
              {onDeleteSavedBlock && (
                <ActionIcon
                  size={28}
                  aria-label={`Delete the saved block ${saved.name}`}
                  onClick={() => void onDeleteSavedBlock(saved.id)}
                >
                  <IconTrash size={14} stroke={1.6} />
                </ActionIcon>
              )}
            </div>
          ))}
        </>
      )}
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
