import { z } from 'zod';
import { segmentRules } from '#features/segments/contract/segment-rules.ts';

/*
 * What a dialog has already asked for, when somebody goes on in the editor of segments. It travels
 * in the history: an address would be too short for the rules, and back leads to the dialog.
 */

export const segmentStart = z.object({
  name: z.string(),
  description: z.string(),
  segmentRules,
  /** Of the list as it was then. Absent of a new one. */
  updatedAt: z.iso.datetime().optional(),
});
export type SegmentStart = z.output<typeof segmentStart>;

declare module '@tanstack/react-router' {
  interface HistoryState {
    segment?: SegmentStart;
  }
}

/** What the history holds. Undefined when there is none, or when another version wrote it. */
export const startIn = (state: { segment?: unknown }): SegmentStart | undefined =>
  segmentStart.safeParse(state.segment).data;
