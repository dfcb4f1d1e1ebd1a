import { expect, it } from 'vitest';
import { ApiError } from './api.ts';
import { createQueryClient, noteTopics, readAgain, showNewer } from './query-client.ts';

const ignored = { onSignedOut: () => {}, onTwoFactorRequired: () => {} };

it('data is fresh for five minutes and asked for once', () => {
  expect(createQueryClient(ignored).getDefaultOptions().queries).toEqual({
    staleTime: 300_000,
    retry: false,
    refetchInterval: false,
    refetchOnWindowFocus: false,
  });
});

it('tells of a session that has ended and of a second factor that is asked for, and of nothing else', async () => {
  const told: string[] = [];
  const client = createQueryClient({
    onSignedOut: () => told.push('signed out'),
    onTwoFactorRequired: () => told.push('two-factor'),
  });
  const failing = async (status: number, code: string) => {
    const queryFn = () => Promise.reject(new ApiError(status, '', JSON.stringify({ code, message: 'No.' })));
    await client.fetchQuery({ queryKey: [code], queryFn }).catch(() => {});
  };
  await failing(401, 'unauthenticated');
  await failing(403, 'forbidden');
  await failing(403, 'two_factor_required');
  expect(told).toEqual(['signed out', 'two-factor']);
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

it('shows what is newer, and drops the answer to an earlier question', async () => {
  const client = createQueryClient(ignored);
  const queryKey = ['/cat', { id: 1 }] as const;
  client.setQueryData(queryKey, 'as before');
  let answer = (_: string) => {};
  const asked = client.fetchQuery({
    queryKey,
    staleTime: 0,
    queryFn: () =>
      new Promise<string>((resolve) => {
        answer = resolve;
      }),
  });
  showNewer(client, queryKey, (before) => `${before}, fed`);
  answer('hungry');
  await asked.catch(() => {});
  expect(client.getQueryData(queryKey)).toBe('as before, fed');
  expect(client.getQueryState(queryKey)?.fetchStatus).toBe('idle');
});
