import { expect, it } from 'vitest';
import { Line, type SlotGuest } from './line.ts';

/** Who is let in, when these wait in this order. */
async function order(waiting: [name: string, workspaceId: number, mailingId: number, goesFirst?: boolean][]) {
  const line = new Line();
  const seen: string[] = [];
  for (const [name, workspaceId, mailingId, goesFirst = false] of waiting) {
    const guest: SlotGuest = { workspaceId, mailingId, goesFirst };
    void line.wait(guest).then(() => seen.push(name));
  }
  while (line.next()) await Promise.resolve();
  return seen.join(' ');
}

it('lets workspaces take turns, and within each its mailings', async () => {
  expect(
    await order([
      ['a1', 1, 1],
      ['a2', 1, 1],
      ['a3', 1, 1],
      ['b1', 1, 2],
      ['c1', 2, 3],
      ['c2', 2, 3],
      ['a4', 1, 1],
    ]),
  ).toBe('a1 c1 b1 c2 a2 a3 a4');
});

it('lets messages go first that somebody waits for, in turns too', async () => {
  expect(
    await order([
      ['campaign', 1, 1],
      ['a1', 1, 2, true],
      ['a2', 1, 2, true],
      ['b1', 2, 3, true],
    ]),
  ).toBe('a1 b1 a2 campaign');
});

it('gives whoever comes later a turn as soon as those who came first', async () => {
  const line = new Line();
  const seen: string[] = [];
  const wait = (name: string, mailingId: number) =>
    void line.wait({ workspaceId: 1, mailingId, goesFirst: false }).then(() => seen.push(name));
  for (const name of ['a1', 'a2', 'a3']) wait(name, 1);
  line.next();
  wait('b1', 2);
  line.next();
  line.next();
  expect(line.next()).toBe(true);
  expect(line.next()).toBe(false);
  await Promise.resolve();
  expect(seen).toEqual(['a1', 'a2', 'b1', 'a3']);
});
