import { MutationObserver, onlineManager, type QueryClient, QueryObserver } from '@tanstack/react-query';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { ApiError } from './api.ts';
import { createQueryClient, noteTopics, readAgain, showNewer } from './query-client.ts';

const ignored = { onSignedOut: () => {}, onTwoFactorRequired: () => {} };

it('data is fresh for five minutes and asked for once', () => {
  expect(createQueryClient(ignored).getDefaultOptions().queries).toEqual({
    staleTime: 300_000,
    retry: false,
    refetchInterval: false,
    refetchOnWindowFocus: false,
    refetchOnReconnect: true,
    networkMode: 'always',
  });
});

it('makes calls also while the browser takes itself for offline, and reads again when it is back', async () => {
  onTestFinished(() => onlineManager.setOnline(true));
  const client = createQueryClient(ignored);
  client.mount();
  onTestFinished(() => client.unmount());
  const unreachable = new ApiError(0, '', '');
  const queryFn = vi.fn(() => Promise.reject(unreachable));
  onlineManager.setOnline(false);
  const list = new QueryObserver(client, { queryKey: ['/cats'], queryFn });
  onTestFinished(list.subscribe(() => {}));
  await expect.poll(() => list.getCurrentResult().error).toBe(unreachable);
  const feed = new MutationObserver(client, { mutationFn: queryFn });
  void feed.mutate().catch(() => {});
  await expect.poll(() => feed.getCurrentResult().error).toBe(unreachable);
  expect(queryFn).toHaveBeenCalledTimes(2);
  onlineManager.setOnline(true);
  await expect.poll(() => queryFn.mock.calls.length).toBe(3);
});

it('tells of a session that ended or moved and of a second factor that is asked for, and of nothing else', async () => {
  const told: string[] = [];
  const client = createQueryClient({
    onSignedOut: () => told.push('signed out'),
    onTwoFactorRequired: () => told.push('two-factor'),
    onWorkspaceChanged: () => told.push('moved'),
  });
  const failing = async (status: number, code: string) => {
    const queryFn = () => Promise.reject(new ApiError(status, '', JSON.stringify({ code, message: 'No.' })));
    await client.fetchQuery({ queryKey: [code], queryFn }).catch(() => {});
  };
  await failing(401, 'unauthenticated');
  await failing(403, 'forbidden');
  await failing(403, 'two_factor_required');
  await failing(409, 'conflict');
  await failing(409, 'workspace_changed');
  expect(told).toEqual(['signed out', 'two-factor', 'moved']);
});

it('reads again what changes with a topic, whichever feature it belongs to, and nothing else', async () => {
  const client = createQueryClient(ignored);
  noteTopics(client, [
    { changesWith: { cats: [{ path: '/cats' }, { path: '/news' }] } },
    {},
    { changesWith: { dogs: [{ path: '/news' }], cats: [{ path: '/vets' }] } },
  ]);
  const keys = [['/cats', { page: 1 }], ['/cats', { page: 2 }], ['/news'], ['/vets'], ['/owners']];
  for (const queryKey of keys) await client.fetchQuery({ queryKey, queryFn: () => 'read' });
  const old = () => keys.filter((key) => client.getQueryState(key)?.isInvalidated);
  await readAgain(client, 'dogs');
  expect(old()).toEqual([['/news']]);
  await readAgain(client, 'cats');
  expect(old()).toEqual(keys.slice(0, 4));
});

describe('showing what is newer', () => {
  const queryKey = ['/cat', { id: 1 }] as const;
  /** A client whose question has not been answered yet. */
  const asking = (before?: string) => {
    const client = createQueryClient(ignored);
    if (before !== undefined) client.setQueryData(queryKey, before);
    const answers: ((text: string) => void)[] = [];
    const observer = new QueryObserver<string>(client, {
      queryKey,
      staleTime: 0,
      queryFn: () => new Promise<string>((resolve) => answers.push(resolve)),
    });
    observer.subscribe(() => {});
    return { client, answers };
  };
  const shown = (client: QueryClient) => client.getQueryData(queryKey);

  it('drops the answer to an earlier question', async () => {
    const { client, answers } = asking('hungry');
    showNewer(client, queryKey, (before) => `${before}, fed`);
    answers[0]?.('hungry');
    await Promise.resolve();
    expect(shown(client)).toBe('hungry, fed');
    expect(client.getQueryState(queryKey)?.fetchStatus).toBe('idle');
  });

  it('asks once more after a whole answer, since the question may have been about something newer', async () => {
    const { client, answers } = asking('hungry');
    showNewer(client, queryKey, 'fed');
    expect(shown(client)).toBe('fed');
    answers[0]?.('hungry');
    answers[1]?.('asleep');
    await expect.poll(() => shown(client)).toBe('asleep');
    expect(answers).toHaveLength(2);
    showNewer(client, queryKey, 'awake');
    expect(answers).toHaveLength(2);
  });

  it('leaves a first question alone when there is nothing to show yet', async () => {
    const { client, answers } = asking();
    showNewer(client, queryKey, (before) => before && `${before}, fed`);
    answers[0]?.('hungry');
    await expect.poll(() => shown(client)).toBe('hungry');
  });
});
