import type { OutlineItem } from '../../rules/document/outline.ts';
import { blockIcons } from './palette.tsx';
import type { Editor } from './use-editor.ts';
import classes from './visual.module.css';

/** All blocks in words. Pressing one selects it in the email. */
export function OutlineList({ editor: { items, selected, select } }: { editor: Editor }) {
  if (items.length === 0) return <p className={classes.hint}>There are no blocks yet.</p>;
  return (
    <ul className={classes.outline} aria-label="Outline">
      {items.map((item) => (
        <li key={item.id} style={{ paddingInlineStart: (item.level - 1) * 14 }}>
          <button
            type="button"
            aria-current={selected?.id === item.id || undefined}
            onClick={() => select(item.id, true)}
          >
            <Mark item={item} />
            <span>{item.name}</span>
            <span className={classes.summary}>{item.summary}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}

function Mark({ item: { block } }: { item: OutlineItem }) {
  if (!block) return null;
  const Icon = blockIcons[block.type];
  return <Icon size={14} stroke={1.6} />;
}
