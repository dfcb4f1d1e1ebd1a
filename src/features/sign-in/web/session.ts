import { type QueryClient, queryOptions } from '@tanstack/react-query';
import {
  ApiError,
  call,
  queryKeyOf,
  request,
  setPerson,
  setWorkspace,
  shownWorkspace,
} from '#platform/web/api.ts';
import type { CurrentUser } from '#platform/web/current-user.ts';
import { getCurrentUser } from '../contract.ts';

/**
 * Who is signed in; null means nobody, which is not an error. Fresh for five minutes. Fails with
 * `workspace_changed` once the session has moved to another workspace than the page shows: then
 * the page stays what it was, or its lists would be of one workspace and its calls of another.
 */
export const currentUserOptions = queryOptions<CurrentUser | null>({
  queryKey: queryKeyOf(getCurrentUser),
  staleTime: 300_000,
  retry: false,
  queryFn: async ({ signal }) => {
    try {
      const user = await call(getCurrentUser, { signal });
      const shown = shownWorkspace();
      if (shown !== undefined && shown !== user.workspace.id) throw movedTo(user.workspace.name);
      setWorkspace(user.workspace.id);
      setPerson(user.id);
      return user;
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) return null;
      throw error;
    }
  },
});

/** The same refusal as the server's to every call about a workspace. */
const movedTo = (name: string) =>
  new ApiError(
    409,
    'Conflict',
    JSON.stringify({
      code: 'workspace_changed',
      message: `You are at work in ${name} now, and this page shows another workspace. Reload the page.`,
    }),
  );

/** The sign-in library's calls, which have no endpoint of ours: `/api/auth/…`. */
const post = (path: string, body: Record<string, string>) =>
  request(`/api/auth/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

/** Returns whether the second factor is still needed. */
export async function signIn(email: string, password: string): Promise<'in' | 'second-factor'> {
  const answer = await (await post('sign-in/email', { email, password })).json();
  return (answer as { twoFactorRedirect?: boolean }).twoFactorRedirect ? 'second-factor' : 'in';
}

/** Without a name for the workspace, the server chooses one that fits the person. */
export const signUp = (account: { name: string; email: string; password: string; workspace: string }) =>
  post('sign-up/email', account);

export const endSession = () => post('sign-out', {});

/** Reads again who is signed in, after signing in. */
export async function refreshCurrentUser(queryClient: QueryClient): Promise<CurrentUser | null> {
  queryClient.clear();
  // The page may have been somebody else's before, or of another workspace.
  setPerson(undefined);
  setWorkspace(undefined);
  return queryClient.fetchQuery({ ...currentUserOptions, staleTime: 0 });
}
