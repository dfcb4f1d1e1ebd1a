import { useDraggable } from '@dnd-kit/core';
import { IconAlertTriangle, IconDevices, IconUsers } from '@tabler/icons-react';
import { type KeyboardEvent, useEffect, useRef } from 'react';
import type { OutlineItem } from '../../rules/document/outline.ts';
import type { Block } from '../../rules/document/places.ts';
import { faultsInWords } from './faults.ts';
import type { Box } from './measure.ts';
import { mayWrite } from './text-block.ts';
import type { Editor } from './use-editor.ts';
import classes from './visual.module.css';

interface BlockTreeProps {
  editor: Editor;
  boxes: ReadonlyMap<string, Box>;
  onKeyDown: (event: KeyboardEvent) => void;
}

/**
 * The blocks as a tree that lies over the picture of the email: what one presses, drags and reaches
 * with the keyboard. The picture itself can do nothing.
 */
export function BlockTree({ editor, boxes, onKeyDown }: BlockTreeProps) {
  const { items, selected } = editor;
  const tabStop = selected?.id ?? items[0]?.id;
  return (
    <div className={classes.tree} role="tree" aria-label="Blocks of the email" onKeyDown={onKeyDown}>
      {items.map((item) => (
        <TreeItem
          key={item.id}
          item={item}
          box={boxes.get(item.id)}
          editor={editor}
          isTabStop={item.id === tabStop}
        />
      ))}
    </div>
  );
}

interface TreeItemProps {
  item: OutlineItem;
  box: Box | undefined;
  editor: Editor;
  isTabStop: boolean;
}

function TreeItem({ item, box, editor, isTabStop }: TreeItemProps) {
  const { select, takeFocus, write, selected, writing } = editor;
  const own = useRef<HTMLDivElement | null>(null);
  const fault = editor.faults.ofBlock.get(item.id);
  const isSelected = selected?.id === item.id;
  // A press focuses first, which selects: the click alone cannot know whether it is the second one.
  const wasSelected = useRef(false);
  const drag = useDraggable({ id: item.id, data: { name: item.name }, disabled: !item.block });
  useEffect(() => {
    if (isSelected && takeFocus(item.id)) own.current?.focus();
  });
  const open = () => item.block && mayWrite(item.block) && write(item.id);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree has the keys.
    <div
      ref={(element) => {
        own.current = element;
        drag.setNodeRef(element);
      }}
      {...drag.listeners}
      role="treeitem"
      aria-level={item.level}
      aria-posinset={item.position}
      aria-setsize={item.of}
      aria-selected={isSelected}
      aria-label={nameOf(item, fault?.words)}
      tabIndex={isTabStop ? 0 : -1}
      className={classes.item}
      data-column={item.block ? undefined : ''}
      data-level={item.level}
      data-dragged={drag.isDragging || undefined}
      data-writing={writing === item.id || undefined}
      style={box ?? { left: 0, top: 0, width: 0, height: 0 }}
      onClick={(event) => {
        event.stopPropagation();
        if (wasSelected.current) open();
        else select(item.id);
      }}
      onPointerDown={() => {
        wasSelected.current = isSelected;
      }}
      onDoubleClick={open}
      onFocus={(event) => event.target === own.current && select(item.id)}
    >
      {(item.shownWhen || item.shownOn) && (
        <span className={classes.shownWhen}>
          {item.shownOn && <IconDevices size={14} stroke={1.6} />} {item.shownOn}
          {item.shownWhen && <IconUsers size={14} stroke={1.6} />} {item.shownWhen}
        </span>
      )}
      {fault && <FaultBadge {...fault} />}
      {item.block ? (
        <Missing block={item.block} />
      ) : (
        item.summary && <span className={classes.noPicture}>Nothing in it yet</span>
      )}
    </div>
  );
}

/** What is wrong with a block, over the block. All of it stands in the list below the editor. */
const FaultBadge = ({ words, isProblem }: { words: string[]; isProblem: boolean }) => (
  <span className={classes.fault} data-problem={isProblem || undefined} title={words.join('\n')}>
    <IconAlertTriangle size={14} stroke={1.6} /> {faultsInWords(words)}
  </span>
);

function nameOf({ name, summary, shownOn, shownWhen }: OutlineItem, faults: readonly string[] = []): string {
  const words = [name, summary].filter(Boolean).join(': ');
  const shown = [shownOn?.toLowerCase(), shownWhen && `shown when ${shownWhen}`];
  return [words, ...shown, faults.length > 0 && faultsInWords(faults)].filter(Boolean).join(', ');
}

/** What a picture still lacks, over the picture itself. */
function Missing({ block }: { block: Block }) {
  if (block.type !== 'image' && block.type !== 'logo') return null;
  if (block.src === '') return <span className={classes.noPicture}>No picture yet</span>;
  if (block.alt.trim() !== '') return null;
  return (
    <span className={classes.badge}>
      <IconAlertTriangle size={14} stroke={1.6} /> No description
    </span>
  );
}
