import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ApiError, call, queryOptionsFor, words } from '#platform/web/api.ts';
import { showNewer } from '#platform/web/query-client.ts';
import { toastFailed } from '#platform/web/toast.tsx';
import { chooseViews, listViews, type View, type ViewChoices, type ViewScreen } from '../contract.ts';

/** The views of a screen and the person's own choices. */
export const viewsOptions = (screen: ViewScreen) => queryOptionsFor(listViews, { query: { screen } });

export const refreshViews = (queryClient: QueryClient): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: [listViews.path] });

export const needsEditorToShare = 'Sharing views needs the editor role. Yours are for yourself.';

/**
 * The views of a screen. `choose` stores a personal choice and shows it at once. `chosen` does the
 * same, and resolves when it is stored, or when people have been told that it is not.
 *
 * After a failure only the screen itself asks again when it opens (`retryOnMount`). A part of it
 * that comes and goes while the views load would otherwise ask for ever.
 */
export function useViews(screen: ViewScreen, { retryOnMount = false } = {}) {
  const queryClient = useQueryClient();
  const options = viewsOptions(screen);
  const query = useQuery({ ...options, retryOnMount });
  const mutationKey = [chooseViews.path, screen];
  const { mutate: choose, mutateAsync } = useMutation<void, ApiError, Partial<ViewChoices>>({
    // One after the other, so that the second of two quick presses wins. What was chosen while one
    // was on its way goes together, so that little is lost when the page is left.
    mutationFn: async () => {
      const wanted = unsent.get(screen);
      unsent.delete(screen);
      if (wanted) await call(chooseViews, { body: { screen, ...wanted } });
    },
    mutationKey,
    scope: { id: mutationKey.join(' ') },
    onMutate: (wanted) => {
      unsent.set(screen, { ...unsent.get(screen), ...wanted });
      showNewer(queryClient, options.queryKey, (before) => before && { ...before, ...wanted });
    },
    onError: (error) =>
      toastFailed({ title: 'Error', message: words(error, 'This was not kept. Please try again.') }),
    // Only after the last of several: an earlier read would show the previous choice again.
    onSettled: () => queryClient.isMutating({ mutationKey }) === 1 && void refreshViews(queryClient),
  });
  const chosen = (wanted: Partial<ViewChoices>) => mutateAsync(wanted).catch(() => undefined);
  return { query, views: query.data?.items, choices: query.data, choose, chosen };
}

/** Choices that have not been sent. */
const unsent = new Map<ViewScreen, Partial<ViewChoices>>();

/** Whether this person may rename, change, share and delete a view. */
export const mayChange = (view: View, mayShare: boolean): boolean => (view.shared ? mayShare : view.isOwn);
