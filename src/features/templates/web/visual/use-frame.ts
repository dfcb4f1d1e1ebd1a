import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { FieldLabels } from '../../rules/document/block-words.ts';
import { framePage, makeSame } from './frame-page.ts';
import { type Box, boxesIn } from './measure.ts';
import type { Rendered } from './render-on-change.ts';

export interface Frame {
  ref: RefObject<HTMLIFrameElement | null>;
  onLoad: () => void;
  height: number;
  boxes: ReadonlyMap<string, Box>;
}

interface Shown {
  rendered: Rendered | null;
  labels: FieldLabels;
  /** Pieces of Liquid that are marked. */
  faulty: ReadonlySet<string>;
  dark: boolean;
  width: number;
}

/** Keeps the frame's page at what is rendered, and knows where each block of it stands. */
export function useFrame({ rendered, labels, faulty, dark, width }: Shown): Frame {
  const ref = useRef<HTMLIFrameElement>(null);
  const [loaded, setLoaded] = useState(0);
  const [measured, setMeasured] = useState({ height: 480, boxes: new Map<string, Box>() });
  const shown = useRef(rendered);
  const measure = useCallback(() => {
    const page = ref.current?.contentDocument;
    if (!page?.body || !shown.current) return;
    const boxes = boxesIn(page, shown.current.document);
    setMeasured({ height: Math.ceil(page.body.getBoundingClientRect().height), boxes });
  }, []);

  // A frame that is loaded anew is empty, and another width moves every block.
  useLayoutEffect(() => {
    const page = ref.current?.contentDocument;
    if (!page?.documentElement || !rendered) return;
    makeSame(page.documentElement, framePage(rendered.html, { labels, faulty, dark }).documentElement);
    shown.current = rendered;
    measure();
  }, [rendered, labels, faulty, dark, loaded, width, measure]);

  useEffect(() => {
    const body = ref.current?.contentDocument?.body;
    if (!body) return;
    // Pictures come later and move what is below them.
    const observer = new ResizeObserver(measure);
    observer.observe(body);
    return () => observer.disconnect();
  }, [loaded, measure]);

  return { ref, onLoad: useCallback(() => setLoaded((times) => times + 1), []), ...measured };
}
