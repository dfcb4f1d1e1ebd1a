import type { Draft } from './draft.ts';

/** Changes the draft that is on the screen. */
export type Edit = (
  change: (draft: Draft) => Draft,
  then?: {
    /** The control that has the focus afterwards, by its `data-control`. */
    focus?: string;
    /** For screen readers. */
    said?: string;
  },
) => void;
