import { QueryClient } from '@tanstack/react-query';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { setPerson, setWorkspace } from '#platform/web/api.ts';
import { currentUserOptions, refreshCurrentUser } from './session.ts';

it('the user is fresh for five minutes', () => {
  expect(currentUserOptions).toMatchObject({ staleTime: 300_000, retry: false });
});

describe('who is signed in', () => {
  afterEach(() => {
    vi.unstubAllGlobals();
    setPerson(undefined);
    setWorkspace(undefined);
  });

  /** A session that moves between workspaces. `sent` is the workspace that each call named. */
  function session() {
    const now = { workspace: { id: 1, name: 'Acme' } };
    const sent: (string | undefined)[] = [];
    vi.stubGlobal('fetch', async (_: string, { headers }: { headers: Record<string, string> }) => {
      sent.push(headers['x-workspace']);
      return new Response(JSON.stringify({ id: 'ann', workspace: now.workspace }));
    });
    const client = new QueryClient();
    const read = () => client.fetchQuery({ ...currentUserOptions, staleTime: 0 });
    return { client, read, sent, moveTo: (id: number, name: string) => (now.workspace = { id, name }) };
  }

  it('is still at work in the workspace that the page shows, or the read is refused', async () => {
    const { client, read, sent, moveTo } = session();
    const before = await read();
    moveTo(2, 'Bolt');
    await expect(read()).rejects.toMatchObject({
      status: 409,
      code: 'workspace_changed',
      serverMessage: 'You are at work in Bolt now, and this page shows another workspace. Reload the page.',
    });
    expect(client.getQueryData(currentUserOptions.queryKey)).toEqual(before);
    moveTo(1, 'Acme & Sons');
    expect(await read()).toMatchObject({ workspace: { id: 1, name: 'Acme & Sons' } });
    expect(sent).toEqual([undefined, '1', '1']);
  });

  it('begins in any workspace after signing in', async () => {
    const { client, read, sent, moveTo } = session();
    await read();
    moveTo(2, 'Bolt');
    expect(await refreshCurrentUser(client)).toMatchObject({ workspace: { id: 2 } });
    await read();
    expect(sent).toEqual([undefined, undefined, '2']);
  });
});
