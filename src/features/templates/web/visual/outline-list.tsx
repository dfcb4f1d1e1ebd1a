import { IconAlertTriangle } from '@tabler/icons-react';
import type { OutlineItem } from '../../rules/document/outline.ts';
import { faultsInWords } from './faults.ts';
import { blockIcons } from './palette.tsx';
import type { Editor } from './use-editor.ts';
import classes from './visual.module.css';

/** All blocks in words. Pressing one selects it in the email. */
export function OutlineList({ editor: { items, selected, select, faults } }: { editor: Editor }) {
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
            <Fault words={faults.ofBlock.get(item.id)?.words} />
          </button>
        </li>
      ))}
    </ul>
  );
}

function Fault({ words }: { words: readonly string[] | undefined }) {
  if (!words) return null;
  return (
    <span className={classes.outlineFault} title={words.join('\n')}>
      <IconAlertTriangle size={14} stroke={1.6} aria-hidden />
      <span className={classes.unseen}>{faultsInWords(words)}</span>
    </span>
  );
}

function Mark({ item: { block } }: { item: OutlineItem }) {
  if (!block) return null;
  const Icon = blockIcons[block.type];
  return <Icon size={14} stroke={1.6} />;
}
