import { setImmediate as nextTurn } from 'node:timers/promises';
import { type CompiledTemplate, fillSubject } from '#features/templates/rules/compile.ts';
import type { MergeData } from '#features/templates/rules/liquid/run.ts';

// Work as `limits` of templates counts it. A million of it takes up to a quarter of a second.

/** Of one subject: twenty loops over fifty items. */
const mostForOne = 100_000;
/** Of all subjects of a call: four dates for each of a thousand. */
const mostForAll = 10_000_000;
/** Done before others get the thread. */
const aTurn = 50_000;

/**
 * The subject for each of these data, in their order. Other calls are answered meanwhile. Throws
 * FillError when one of them, or all together, take too much work.
 */
export async function fillSubjects(template: CompiledTemplate, all: readonly MergeData[]): Promise<string[]> {
  const subjects: string[] = [];
  let left = mostForAll;
  let pauseAt = left - aTurn;
  for (const data of all) {
    const { subject, work } = fillSubject(template, data, Math.min(mostForOne, left));
    subjects.push(subject);
    left -= work;
    if (left > pauseAt) continue;
    await nextTurn();
    pauseAt = left - aTurn;
  }
  return subjects;
}
