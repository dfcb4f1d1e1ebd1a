import { describe, expect, it } from 'vitest';
import type { ChosenGroups } from '../api.ts';
import { GroupSaves } from './group-saves.ts';

const consent = { basis: 'consent' as const };

/** A check page with these groups stored. Each save waits until it is answered. */
function page(stored: ChosenGroups = {}) {
  let shown = stored;
  const sent: ChosenGroups[] = [];
  const refused: string[] = [];
  const answers: PromiseWithResolvers<void>[] = [];
  const saves = new GroupSaves({
    shown: () => shown,
    show: (of, chosen) => {
      shown = { ...shown, [of]: chosen };
    },
    save: (groups) => {
      sent.push(groups);
      const answer = Promise.withResolvers<void>();
      answers.push(answer);
      return answer.promise;
    },
    onRefused: (of) => refused.push(of),
  });
  const next = async (): Promise<PromiseWithResolvers<void>> => {
    await expect.poll(() => answers.length).toBeGreaterThan(0);
    return answers.shift() as PromiseWithResolvers<void>;
  };
  return {
    ...{ saves, sent, refused },
    shown: () => shown,
    accept: async () => (await next()).resolve(),
    refuse: async () => (await next()).reject(new Error('refused')),
  };
}

describe('choices of a list, tags and a basis that are saved one after the other', () => {
  it('go on from what is newer where one is refused', async () => {
    const { saves, sent, refused, shown, accept, refuse } = page();
    saves.choose('tagIds', [1]);
    saves.choose('tagIds', [1, 2]);
    const settled = saves.settled();
    await refuse();
    await accept();
    expect(await settled).toBe(true);
    expect(sent).toEqual([{ tagIds: [1] }, { tagIds: [1, 2] }]);
    expect([shown(), refused]).toEqual([{ tagIds: [1, 2] }, []]);
  });

  it('go back to what is stored where the newest is refused', async () => {
    const { saves, refused, shown, accept, refuse } = page({ tagIds: [7] });
    saves.choose('tagIds', [7, 8]);
    saves.choose('tagIds', [7, 8, 9]);
    saves.choose('tagIds', [8, 9]);
    const settled = saves.settled();
    await accept();
    await refuse();
    await refuse();
    expect(await settled).toBe(false);
    expect([shown(), refused]).toEqual([{ tagIds: [7, 8] }, ['tagIds']]);
  });

  it('are not refused for another field that is', async () => {
    const { saves, sent, refused, shown, accept, refuse } = page({ basis: consent });
    saves.choose('tagIds', [1]);
    saves.choose('listId', 404);
    saves.choose('basis', undefined);
    const settled = saves.settled();
    await accept();
    await refuse();
    await accept();
    // The list is not stored, and nobody who waits has seen that.
    expect(await settled).toBe(false);
    expect(sent).toEqual([{ tagIds: [1] }, { listId: 404 }, { basis: undefined }]);
    expect([shown(), refused]).toEqual([{ tagIds: [1] }, ['listId']]);
  });

  it('hold nobody up once the refusal has been seen', async () => {
    const { saves, refuse, accept } = page();
    saves.choose('listId', 404);
    const settled = saves.settled();
    await refuse();
    expect([await settled, await saves.settled()]).toEqual([false, true]);
    saves.choose('tagIds', [1]);
    const again = saves.settled();
    await accept();
    expect(await again).toBe(true);
  });
});
