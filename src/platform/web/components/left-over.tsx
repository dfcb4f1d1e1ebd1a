import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { formatWhen } from '../format.ts';
import { firstPress } from '../single-press.ts';
import { KeepsFocus } from './keeps-focus.tsx';
import classes from './left-over.module.css';
import { Note } from './states.tsx';

interface LeftOverProps {
  /** When it was written. */
  at: string;
  /** Something newer is stored since. */
  isOld: boolean;
  onRestore: () => void;
  onDiscard: () => void;
  /** More about it. */
  children?: ReactNode;
}

/** What was written here and never saved, because the tab, the session or the network died. */
export const LeftOver = ({ at, isOld, onRestore, onDiscard, children }: LeftOverProps) => (
  <KeepsFocus>
    <Note
      tone="info"
      title={`There are changes from ${momentOf(at)} that were not saved`}
      action={
        <div className={classes.choices}>
          <Button size="xs" variant="default" onClick={firstPress(onRestore)}>
            Restore
          </Button>
          <Button size="xs" variant="default" onClick={firstPress(onDiscard)}>
            Discard
          </Button>
        </div>
      }
    >
      {children}
      {isOld && 'A newer version was saved since. You are asked before they replace it. '}
      They are kept in this browser until you decide.
    </Note>
  </KeepsFocus>
);

/** `14:03` today, otherwise with the day. */
const momentOf = (at: string): string => formatWhen(at).replace(/^today at |^on /, '');
