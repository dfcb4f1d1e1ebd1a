import { ActionIcon, Kbd } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { forwardRef } from 'react';
import { BlockSettings } from './block-settings.tsx';
import { FrameSettings } from './frame-settings.tsx';
import type { Editor } from './use-editor.ts';
import classes from './visual.module.css';

/** The settings of what is selected. */
export const Inspector = forwardRef<HTMLElement, { editor: Editor }>(function Inspector({ editor }, ref) {
  const { selected, document, set, write, select, otherwise } = editor;
  const block = selected?.block;
  return (
    <aside ref={ref} className={classes.inspector} aria-label="Settings of the block">
      <div className={classes.panelHead}>
        <h2>{selected?.name ?? 'Nothing selected'}</h2>
        {selected && (
          <ActionIcon size={28} aria-label="Close the settings" onClick={() => select(null)}>
            <IconX size={16} stroke={1.6} />
          </ActionIcon>
        )}
      </div>
      <div className={classes.settings}>
        {block ? (
          <>
            <BlockSettings
              key={block.id}
              block={block}
              look={document.look}
              onChange={(changed, kind) => set(changed, kind)}
              onWrite={() => write(block.id)}
            />
            <FrameSettings
              key={`${block.id} frame`}
              block={block}
              look={document.look}
              isInColumn={selected.level > 1}
              onChange={(change, kind) => set({ ...block, ...change }, kind)}
              onOtherwise={() => otherwise(block.id)}
            />
          </>
        ) : (
          <Hints isColumn={selected?.column !== undefined} />
        )}
      </div>
    </aside>
  );
});

const keys: [string[], string][] = [
  [['/'], 'add a block'],
  [['↑', '↓'], 'go to the next block'],
  [['←', '→'], 'out of columns, into columns'],
  [['Enter'], 'edit the block'],
  [['Alt', '↑ ↓'], 'move it'],
  [['Alt', '← →'], 'move it into columns and out'],
  [['Ctrl', 'D'], 'a second one'],
  [['Ctrl', 'C'], 'copy, also to another template'],
  [['Delete'], 'delete it'],
  [['Ctrl', 'Z'], 'undo'],
];

const Hints = ({ isColumn }: { isColumn: boolean }) => (
  <>
    <p className={classes.hint}>
      {isColumn ? 'Add a block: it goes into this column.' : 'Select a block in the email to change it.'}
    </p>
    <dl className={classes.keys} aria-label="With the keyboard">
      {keys.map(([names, what]) => (
        <div key={what}>
          <dt>
            {names.map((name) => (
              <Kbd key={name} size="xs">
                {name}
              </Kbd>
            ))}
          </dt>
          <dd>{what}</dd>
        </div>
      ))}
    </dl>
  </>
);
