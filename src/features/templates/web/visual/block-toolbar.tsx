import { ActionIcon, TextInput } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconBookmark, IconCopy, IconEdit, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { words } from '#platform/web/api.ts';
import { toastDone, toastFailed } from '#platform/web/toast.tsx';
import type { Block } from '../../rules/document/places.ts';
import type { Box } from './measure.ts';
import { mayWrite } from './text-block.ts';
import { ToolForm } from './tool-form.tsx';
import type { Editor } from './use-editor.ts';
import classes from './visual.module.css';
import type { VisualEditorProps } from './visual-props.ts';

interface BlockToolbarProps extends Pick<VisualEditorProps, 'onSaveBlock'> {
  editor: Editor;
  block: Block;
  name: string;
  box: Box;
  /** How large the email is drawn. The bar keeps its own size. */
  scale: number;
}

/** What a mouse or a finger does to the selected block. The keyboard has keys for it. */
export function BlockToolbar({ editor, block, name, box, scale, onSaveBlock }: BlockToolbarProps) {
  const { move, duplicate, remove, write } = editor;
  // Above a block that it would cover in good part: one of few lines, or in a narrow column.
  const isSmall = box.height * scale < 60 || box.width * scale < 340;
  return (
    <div
      className={classes.blockBar}
      role="toolbar"
      aria-label={`${name}: actions`}
      style={{ left: box.left + box.width, top: isSmall ? box.top - 2 : box.top + box.height / 2 }}
      data-above={isSmall || undefined}
    >
      {mayWrite(block) && (
        <ActionIcon
          size={28}
          aria-label="Edit the words"
          title="Edit (Enter)"
          onClick={() => write(block.id)}
        >
          <IconEdit size={16} stroke={1.6} />
        </ActionIcon>
      )}
      <ActionIcon size={28} aria-label="Move up" title="Move up (Alt ↑)" onClick={() => move(block.id, 'up')}>
        <IconArrowUp size={16} stroke={1.6} />
      </ActionIcon>
      <ActionIcon
        size={28}
        aria-label="Move down"
        title="Move down (Alt ↓)"
        onClick={() => move(block.id, 'down')}
      >
        <IconArrowDown size={16} stroke={1.6} />
      </ActionIcon>
      <ActionIcon
        size={28}
        aria-label="Duplicate"
        title="Duplicate (Ctrl D)"
        onClick={() => duplicate(block.id)}
      >
        <IconCopy size={16} stroke={1.6} />
      </ActionIcon>
      {onSaveBlock && <SaveBlock block={block} name={name} onSaveBlock={onSaveBlock} />}
      <span className={classes.barLine} />
      <ActionIcon
        size={28}
        className={classes.danger}
        aria-label="Delete"
        title="Delete (Del)"
        onClick={() => remove(block.id)}
      >
        <IconTrash size={16} stroke={1.6} />
      </ActionIcon>
    </div>
  );
}

interface SaveBlockProps {
  block: Block;
  name: string;
  onSaveBlock: NonNullable<VisualEditorProps['onSaveBlock']>;
}

function SaveBlock({ block, name, onSaveBlock }: SaveBlockProps) {
  const [opened, setOpened] = useState(false);
  const [given, setGiven] = useState('');
  const [pending, setPending] = useState(false);
  const save = async () => {
    setPending(true);
    try {
      await onSaveBlock(given.trim(), block);
      toastDone({ title: `${given.trim()} is among the saved blocks` });
      setOpened(false);
    } catch (error) {
      toastFailed({ title: 'The block could not be saved', message: words(error, 'Try it again.') });
    } finally {
      setPending(false);
    }
  };
  const open = () => {
    setGiven(name);
    setOpened(true);
  };
  return (
    <ToolForm
      opened={opened}
      onOpen={setOpened}
      submitLabel="Save block"
      pending={pending}
      disabled={given.trim() === ''}
      onSubmit={() => void save()}
      tool={
        <ActionIcon
          size={28}
          aria-label="Save for other templates"
          title="Save for other templates"
          onClick={open}
        >
          <IconBookmark size={16} stroke={1.6} />
        </ActionIcon>
      }
    >
      <TextInput
        label="Name of the block"
        data-autofocus
        maxLength={80}
        value={given}
        onChange={({ currentTarget: { value } }) => setGiven(value)}
      />
    </ToolForm>
  );
}
