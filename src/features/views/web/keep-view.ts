import type { QueryClient } from '@tanstack/react-query';
import { call, isChangedMeanwhile, words } from '#platform/web/api.ts';
import { toastDone, toastFailed } from '#platform/web/toast.tsx';
import { changeView, deleteView, restoreView, type View } from '../contract.ts';
import { refreshViews, viewsOptions } from './use-views.ts';
import type { ViewPartProps, ViewPlace } from './view-place.ts';
import { versionSeen } from './view-version.ts';

/** Shows a view as it is now at once, in its place in the alphabet. Then rereads all views. */
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

/**
 * Saves what the screen shows in the open view, and offers to undo that. Asks what to do if
 * somebody has changed the view since it was opened here. Never rejects.
 */
export async function saveChanges(
  queryClient: QueryClient,
  view: View,
  { place, onAsk }: ViewPartProps,
): Promise<void> {
  const { state } = place;
  try {
    const body = { state, updatedAt: versionSeen(view.id) ?? view.updatedAt };
    tellSaved(queryClient, view, await call(changeView, { params: { id: view.id }, body }), place);
  } catch (error) {
    await refreshViews(queryClient);
    if (!isChangedMeanwhile(error)) return failed(error, 'The view was not saved. Please try again.');
    const now = queryClient.getQueryData(viewsOptions(view.screen).queryKey);
    const changed = now?.items.find(({ id }) => id === view.id) ?? view;
    onAsk({ changed, words: words(error) });
  }
}

/**
 * Saves what the screen shows over what somebody else has saved, and offers to undo that. Rejects
 * when it fails.
 */
export async function overwrite(queryClient: QueryClient, view: View, place: ViewPlace): Promise<void> {
  const body = { state: place.state, updatedAt: view.updatedAt };
  tellSaved(queryClient, view, await call(changeView, { params: { id: view.id }, body }), place);
}

function tellSaved(queryClient: QueryClient, before: View, view: View, { onOpen }: ViewPlace): void {
  putView(queryClient, view);
  toastDone({
    title: 'View Saved',
    message: `“${view.name}” shows this.`,
    action: { label: 'Undo', onClick: () => void takeBack(queryClient, before, view, onOpen) },
  });
}

async function takeBack(
  queryClient: QueryClient,
  { state }: View,
  view: View,
  onOpen: (view: View) => void,
): Promise<void> {
  try {
    const body = { state, updatedAt: view.updatedAt };
    const back = await call(changeView, { params: { id: view.id }, body });
    putView(queryClient, back);
    onOpen(back);
    toastDone({ title: 'Changes Undone', message: `“${back.name}” shows what it did before.` });
  } catch (error) {
    failed(error, 'This was not undone. Please try again.');
    void refreshViews(queryClient);
  }
}

/** Deletes a view, says so, and offers to restore it. Never rejects. */
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
