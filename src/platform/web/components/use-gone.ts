import { type RefObject, useEffect, useRef } from 'react';

/** Calls `leave` when what uses it goes from the screen. Answers whether it has gone. */
export function useGone(leave: () => void): RefObject<boolean> {
  const isGone = useRef(false);
  const newest = useRef(leave);
  newest.current = leave;
  useEffect(() => {
    isGone.current = false;
    return () => {
      isGone.current = true;
      newest.current();
    };
  }, []);
  return isGone;
}
