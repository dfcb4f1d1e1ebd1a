import { type ReactNode, useLayoutEffect, useRef } from 'react';
import { focusTitle } from './page.tsx';

/**
 * Holds buttons that go once one of them is pressed. The page's title has the focus then, so that
 * the next Tab leads to what is below it. Nothing scrolls.
 */
export function KeepsFocus({ children }: { children: ReactNode }) {
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const here = place.current;
    return () => {
      const { activeElement, body } = document;
      // A button that waits for its work has lost the focus already.
      if (activeElement === body || here?.contains(activeElement)) focusTitle();
    };
  }, []);
  return <div ref={place}>{children}</div>;
}
