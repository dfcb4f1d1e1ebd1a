import type { KeyboardEvent } from 'react';
import type { OutlineItem } from '../../rules/document/outline.ts';
import type { Direction } from '../../rules/document/places.ts';
import { mayWrite } from './text-block.ts';
import type { Editor } from './use-editor.ts';

interface Ways {
  /** To the list of blocks that can be added. */
  toPalette: () => void;
  /** To the settings of the selected block. */
  toSettings: () => void;
}

const moves: Record<string, Direction> = {
  ArrowUp: 'up',
  ArrowDown: 'down',
  ArrowLeft: 'left',
  ArrowRight: 'right',
};

/** What the keys do while a block has the focus. */
export function blockKeys(editor: Editor, ways: Ways): (event: KeyboardEvent) => void {
  return (event) => {
    const item = editor.selected ?? editor.items[0];
    if (!item) return;
    const act =
      event.altKey && !event.ctrlKey && !event.metaKey
        ? moving(editor, item, event)
        : event.ctrlKey || event.metaKey
          ? event.key.toLowerCase() === 'd' && (() => editor.duplicate(item.id))
          : (walking(editor, item, event.key) ?? pressing(editor, item, event.key, ways));
    if (!act) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  };
}

function moving(editor: Editor, item: OutlineItem, { key }: KeyboardEvent): (() => void) | undefined {
  const direction = moves[key];
  return direction && item.block && (() => editor.move(item.id, direction));
}

function walking({ items, select }: Editor, item: OutlineItem, key: string): (() => void) | undefined {
  const at = items.indexOf(item);
  const goals: Record<string, string | null | undefined> = {
    ArrowDown: items[at + 1]?.id,
    ArrowUp: items[at - 1]?.id,
    ArrowRight: items.find(({ parent }) => parent === item.id)?.id,
    ArrowLeft: item.parent,
    Home: items[0]?.id,
    End: items.at(-1)?.id,
  };
  if (!(key in goals)) return undefined;
  const goal = goals[key];
  // At the end the key does nothing, and does not scroll either.
  return () => goal && select(goal, true);
}

function pressing(
  editor: Editor,
  { id, block, parent }: OutlineItem,
  key: string,
  { toPalette, toSettings }: Ways,
): (() => void) | undefined {
  switch (key) {
    case 'Enter':
    case 'F2':
      return () => (mayWrite(block) ? editor.write(id) : toSettings());
    case 'Delete':
    case 'Backspace':
      return () => block && editor.remove(id);
    case '/':
      return toPalette;
    case 'Escape':
      return parent ? () => editor.select(parent, true) : undefined;
    default:
      return undefined;
  }
}
