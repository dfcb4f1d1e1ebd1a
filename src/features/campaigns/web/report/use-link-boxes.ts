import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import { numberOfLink } from '../../rules/picture.ts';

/** Where a counted link stands in the page of a frame, in its pixels. */
export interface LinkBox {
  number: number;
  right: number;
  top: number;
}

interface LinkBoxes {
  ref: RefObject<HTMLIFrameElement | null>;
  onLoad: () => void;
  height: number;
  boxes: readonly LinkBox[];
}

/** No picture is higher. A part of a page may still ask for more than the frame has. */
const mostHeight = 12_000;

/** Measures the page in a frame: how high it is, and where its counted links stand. */
export function useLinkBoxes(): LinkBoxes {
  const ref = useRef<HTMLIFrameElement>(null);
  const [loaded, setLoaded] = useState(0);
  const [measured, setMeasured] = useState<{ height: number; boxes: LinkBox[] }>({ height: 400, boxes: [] });
  const measure = useCallback(() => {
    const page = ref.current?.contentDocument;
    if (!page?.body) return;
    const boxes = [...page.querySelectorAll('a[href]')].flatMap((link) => {
      const number = numberOfLink(link.getAttribute('href') ?? '');
      // What only other screens show has no box.
      const box = [
        ...link.getClientRects(),
        ...[...link.children].flatMap((one) => [...one.getClientRects()]),
      ].find(({ width, height }) => width > 0 && height > 0);
      return number === null || !box ? [] : [{ number, right: box.right, top: box.top }];
    });
    const height = Math.ceil(page.documentElement.getBoundingClientRect().height);
    setMeasured({ height: Math.min(mostHeight, height), boxes });
  }, []);
  // Each page that is loaded has a body of its own.
  useEffect(() => {
    const body = ref.current?.contentDocument?.body;
    if (!body) return;
    measure();
    // Pictures come later and move what is below them.
    const observer = new ResizeObserver(measure);
    observer.observe(body);
    return () => observer.disconnect();
  }, [loaded, measure]);
  return { ref, onLoad: useCallback(() => setLoaded((times) => times + 1), []), ...measured };
}
