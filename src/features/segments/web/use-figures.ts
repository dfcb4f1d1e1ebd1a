import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import type { ResponseOf } from '#platform/shared/contract.ts';
import { type ApiError, call } from '#platform/web/api.ts';
import { countSegment, type Figure, previewSegment } from '../contract.ts';
import { type Draft, isFinished, rulesOf } from './draft.ts';

export type Preview = ResponseOf<typeof previewSegment>;

/** Milliseconds in which nothing is typed, before contacts are counted. */
const pause = 300;

export interface Figures {
  /** Whom the rules on the screen mean. Undefined while that is not known. Never of older rules. */
  preview: Preview | undefined;
  /** The best known figure. */
  total: Figure | undefined;
  /** A better figure is on its way. */
  isCounting: boolean;
  /** Why there are no figures. */
  error: ApiError | null;
  /** Why the estimate stays one. */
  uncounted: ApiError | null;
}

/**
 * The figures of rules that are being edited: an estimate at once, then what can be counted while
 * somebody waits, then the exact total. Other rules end the calls that are on their way.
 */
export function useFigures(draft: Draft): Figures {
  const text = JSON.stringify(rulesOf(draft));
  const [settled] = useDebouncedValue(text, pause);
  const isSettled = settled === text;
  const quick = usePreview(isSettled ? settled : null, true);
  const isRough = quick.data?.total.isEstimate === true;
  const full = usePreview(isSettled && isRough ? settled : null, false);
  const isStillRough = full.data?.total.isEstimate === true;
  const counted = useCount(isSettled && isStillRough ? settled : null);
  const preview = full.data ?? quick.data;
  return {
    preview,
    total: counted.data ? { count: counted.data.count, isEstimate: false } : preview?.total,
    isCounting: !isSettled || quick.isFetching || full.isFetching || counted.isFetching,
    error: quick.error,
    uncounted: full.error ?? counted.error,
  };
}

/**
 * Null asks for nothing. The key is then another one, so that a call on its way is given up at
 * once. What comes is not kept: contacts may have changed when the same rules come back.
 */
const usePreview = (rules: string | null, quick: boolean) =>
  useQuery<Preview, ApiError>({
    queryKey: [previewSegment.path, rules, quick],
    queryFn: ({ signal }) =>
      call(previewSegment, { body: { segmentRules: JSON.parse(rules ?? '{}'), quick }, signal }),
    enabled: rules !== null,
    gcTime: 0,
  });

const useCount = (rules: string | null) =>
  useQuery<ResponseOf<typeof countSegment>, ApiError>({
    queryKey: [countSegment.path, rules],
    queryFn: ({ signal }) =>
      call(countSegment, { body: { segmentRules: JSON.parse(rules ?? '{}') }, signal }),
    enabled: rules !== null,
    gcTime: 0,
  });

/** The contacts left after each rule and group, by their keys. */
export interface Left {
  counts: ReadonlyMap<number, number>;
  isEstimate: boolean;
}

/** The steps of a preview, which has finished rules only, for the draft that they are of. */
export function leftAfter(draft: Draft, { steps }: Pick<Preview, 'steps'>): Left {
  const counts = new Map<number, number>();
  const note = (keys: readonly number[], figures: readonly number[]) => {
    for (const [at, key] of keys.entries()) {
      const figure = figures[at];
      if (figure !== undefined) counts.set(key, figure);
    }
  };
  const keysOf = (rules: Draft['rules']) => rules.filter(isFinished).map(({ key }) => key);
  note(keysOf(draft.rules), steps.conditions);
  const groups = draft.groups.filter(({ rules }) => rules.some(isFinished));
  for (const [at, group] of groups.entries()) {
    const step = steps.groups[at];
    if (!step) continue;
    counts.set(group.key, step.count);
    note(keysOf(group.rules), step.conditions);
  }
  return { counts, isEstimate: steps.isEstimate };
}
