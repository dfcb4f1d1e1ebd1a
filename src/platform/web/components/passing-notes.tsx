import { type ReactNode, useState } from 'react';
import classes from './passing-notes.module.css';
import { useRoomFor } from './use-room-for.ts';

/** Pixels above the window's lower edge. */
const bottom = 12;

/**
 * The one place for notes that come while somebody writes, last in a `Page`: at the lower edge of
 * the window, so that nothing that can be pressed moves. They are read out.
 */
export function PassingNotes({ children }: { children: ReactNode }) {
  const [place, setPlace] = useState<HTMLDivElement | null>(null);
  useRoomFor(place, bottom);
  return (
    <div ref={setPlace} className={classes.place} role="status" style={{ bottom }}>
      {children}
    </div>
  );
}
