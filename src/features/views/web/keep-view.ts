import type { QueryClient } from '@tanstack/react-query';
import { call, words } from '#platform/web/api.ts';
import { toastDone, toastFailed } from '#platform/web/toast.tsx';
import { changeView, deleteView, restoreView, type View } from '../contract.ts';
import { refreshViews, viewsOptions } from './use-views.ts';
import type { ViewPlace } from './view-place.ts';

/** Shows a view as it is now at once, in its place in the alphabet; then reads all of them again. */
export function putView(queryClient: QueryClient, view: View): void {
  queryClient.setQueryData(viewsOptions(view.screen).queryKey, (before) => {
    if (!before) return before;
    const items = [...before.items.filter(({ id }) => id !== view.id), view];
    items.sort((one, other) => one.name.localeCompare(other.name, 'en-GB'));
    return { ...before, items };
  });
  void refreshViews(queryClient);
}

const failed = (error: unknown, fallback: string) =>
  toastFailed({ title: 'Error', message: words(error, fallback) });

/** Saves what the screen shows in the open view, and offers to take that back. Never rejects. */
export async function saveChanges(
  queryClient: QueryClient,
  view: View,
  state: View['state'],
  onBack?: (view: View) => void,
): Promise<void> {
  try {
    const changed = await call(changeView, { params: { id: view.id }, body: { state } });
    putView(queryClient, changed);
    toastDone({
      title: onBack ? 'View Saved' : 'Changes Undone',
      message: `“${changed.name}” shows ${onBack ? 'this' : 'what it did before'}.`,
      ...(onBack && {
        action: {
          label: 'Undo',
          onClick: () =>
            void saveChanges(queryClient, changed, view.state).then(() =>
              onBack({ ...changed, state: view.state }),
            ),
        },
      }),
    });
  } catch (error) {
    failed(error, 'The view was not saved. Please try again.');
    void refreshViews(queryClient);
  }
}

/** Deletes a view, says so, and offers to bring it back. Never rejects. */
export async function deleteAndTell(queryClient: QueryClient, view: View, place: ViewPlace): Promise<void> {
  const wasOpen = place.open?.id === view.id;
  try {
    await call(deleteView, { params: { id: view.id } });
    if (wasOpen) place.onAll();
    toastDone({
      title: 'View Deleted',
      message: `“${view.name}” is gone. No contact was touched.`,
      action: { label: 'Undo', onClick: () => void bringBack(queryClient, view, wasOpen ? place : null) },
    });
  } catch (error) {
    failed(error, 'The view was not deleted. Please try again.');
  }
  await refreshViews(queryClient);
}

async function bringBack(queryClient: QueryClient, view: View, place: ViewPlace | null): Promise<void> {
  try {
    const restored = await call(restoreView, { params: { id: view.id } });
    putView(queryClient, restored);
    place?.onOpen(restored);
    toastDone({ title: 'View Restored', message: `“${restored.name}” is back.` });
  } catch (error) {
    failed(error, 'The view was not brought back. Please try again.');
    await refreshViews(queryClient);
  }
}
