import type { z } from 'zod';
import { asEdited, type DraftOnScreen, draftOf, rulesOf } from '#features/segments/web/index.ts';
import { changedFields } from '#platform/web/changed-fields.ts';
import { readKept } from '#platform/web/read-kept.ts';
import { useKeptDraft } from '#platform/web/use-kept-draft.ts';
import type { NamedForm } from '#platform/web/use-named-form.ts';
import { type SegmentStart, segmentStart } from './segment-start.ts';

type Written = Omit<SegmentStart, 'updatedAt'>;

/** What was entered otherwise than the segment had it, and when that had been changed last. */
const keptSegment = segmentStart.partial();
type KeptSegment = z.output<typeof keptSegment>;

const asWritten = (segment: Written): Written => ({
  ...segment,
  segmentRules: asEdited(segment.segmentRules),
});
const isSame = (one: Written, other: Written): boolean =>
  Object.keys(changedFields(asWritten(one), asWritten(other))).length === 0;

interface Editing<List> {
  /** Null for a new one. */
  list: List | null;
  /** What a list has stored. Null: what a new one begins with. */
  writtenIn: (list: List | null) => Written;
  form: NamedForm<List, Pick<Written, 'name' | 'description'>>;
  screen: DraftOnScreen;
}

/** Keeps what is not saved of a segment in this browser. */
export function useKeptSegment<List extends { id: number; updatedAt: string }>(editing: Editing<List>) {
  const { list, writtenIn, form, screen } = editing;
  const stored = writtenIn(list);
  const now = { ...form.values, segmentRules: rulesOf(screen.draft) };
  const isChanged = !isSame(stored, now);
  const kept = useKeptDraft<KeptSegment>({
    ...{ kind: 'segment', id: list?.id ?? 'new', isChanged },
    draft: JSON.stringify(now),
    contentNow: () => {
      const before = asWritten(writtenIn(form.shown === 'new' ? null : form.shown));
      const updatedAt = form.seenAt ?? list?.updatedAt;
      return { ...changedFields(before, now), ...(updatedAt === undefined ? {} : { updatedAt }) };
    },
    read: (content) => readKept(keptSegment, content),
    // What was begun in a dialog is on the screen at once, from the history.
    isStored: ({ updatedAt: _seen, ...changed }) => {
      const then = { ...stored, ...changed };
      return isSame(stored, then) || isSame(now, then);
    },
  });
  const { found } = kept;
  return {
    ...kept,
    isChanged,
    /** Others have saved the segment since it was written. */
    isOld: list !== null && found !== null && (found.content.updatedAt ?? '') < list.updatedAt,
    restore: () => {
      if (!found) return;
      kept.restore();
      const { updatedAt, ...changed } = found.content;
      const { segmentRules, ...values } = { ...stored, ...changed };
      form.restore(values, updatedAt);
      screen.edit(() => draftOf(segmentRules));
    },
  };
}
