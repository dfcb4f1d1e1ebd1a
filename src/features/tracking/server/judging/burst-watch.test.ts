import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { BurstWatch } from './burst-watch.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const looked: number[] = [];
const watchOf = () => {
  looked.length = 0;
  return new BurstWatch(async (_workspaceId, { sendId }) => void looked.push(sendId));
};
const click = (sendId: number, link: number, at: number) => ({
  workspaceId: 1,
  mailingId: 1,
  sendId,
  link,
  at,
});

it('has a message looked at once, some seconds after two of its links were followed at once', () => {
  const watch = watchOf();
  watch.note(click(7, 1, 1_000));
  watch.note(click(7, 2, 2_900));
  watch.note(click(7, 3, 2_950));
  expect(looked).toEqual([]);
  vi.advanceTimersByTime(10_000);
  expect(looked).toEqual([7]);
});

it('leaves alone who follows one link often, or reads before the next', () => {
  const watch = watchOf();
  for (let n = 0; n < 5; n++) watch.note(click(8, 1, n * 100));
  watch.note(click(8, 2, 3_000));
  watch.note(click(9, 1, 3_000));
  vi.advanceTimersByTime(10_000);
  expect(looked).toEqual([]);
});

it('looks at nothing once it is stopped', () => {
  const watch = watchOf();
  watch.note(click(7, 1, 1_000));
  watch.note(click(7, 2, 1_000));
  watch.stop();
  vi.advanceTimersByTime(10_000);
  expect(looked).toEqual([]);
});
