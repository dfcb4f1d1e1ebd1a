import { expect, it, vi } from 'vitest';
import type { MailServers } from '#features/verification/server/index.ts';
import { createLogger } from '#platform/server/logging.ts';
import { ProviderFinder } from './provider-finder.ts';

const log = createLogger('silent');

function openFinder(state: 'mail' | 'unknown') {
  const findAll = vi.fn<MailServers['findAll']>(
    async (domains) =>
      new Map(domains.map((domain) => [domain, { state, via: null, checkedAt: '2026-11-25T09:00:00Z' }])),
  );
  return { finder: new ProviderFinder({ findAll }, log), findAll };
}

it('asks about each domain once, some hundred together', async () => {
  const { finder, findAll } = openFinder('mail');
  const domains = Array.from({ length: 1_200 }, (_, n) => `d${n}.co.uk`);
  finder.note([...domains, ...domains]);
  await vi.waitFor(() => expect(findAll).toHaveBeenCalledTimes(3));
  expect(findAll.mock.calls.flatMap(([asked]) => asked)).toEqual(domains);
});

it('asks nobody for a while when nobody answers, and nobody once it is stopped', async () => {
  const { finder, findAll } = openFinder('unknown');
  finder.note(['one.co.uk']);
  await vi.waitFor(() => expect(findAll).toHaveBeenCalledTimes(1));
  await new Promise((resolve) => setImmediate(resolve));
  finder.note(['two.co.uk']);
  expect(findAll).toHaveBeenCalledTimes(1);
  const other = openFinder('mail');
  other.finder.stop();
  other.finder.note(['one.co.uk']);
  expect(other.findAll).not.toHaveBeenCalled();
});

it('goes on after an error', async () => {
  const { finder, findAll } = openFinder('mail');
  findAll.mockRejectedValueOnce(new Error('the database is away'));
  finder.note(['one.co.uk']);
  await vi.waitFor(() => expect(findAll).toHaveBeenCalledTimes(1));
  await new Promise((resolve) => setImmediate(resolve));
  finder.note(['one.co.uk']);
  await vi.waitFor(() => expect(findAll).toHaveBeenCalledTimes(2));
});
