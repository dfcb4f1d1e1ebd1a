import { useLayoutEffect } from 'react';

/**
 * Says in the page's styles how far up a bar at the window's lower edge reaches, so that messages
 * stand above it and never on it. On a phone it has more lines. `bottom`: pixels below it.
 */
export function useRoomFor(bar: HTMLElement | null, bottom: number): void {
  useLayoutEffect(() => {
    if (!bar) return;
    const { style } = document.documentElement;
    const measure = () => {
      if (bar.offsetHeight > 0) style.setProperty('--ui-bar-top', `${bottom + bar.offsetHeight}px`);
      else style.removeProperty('--ui-bar-top');
    };
    const observer = new ResizeObserver(measure);
    observer.observe(bar);
    measure();
    return () => {
      observer.disconnect();
      style.removeProperty('--ui-bar-top');
    };
  }, [bar, bottom]);
}
