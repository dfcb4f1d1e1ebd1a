import type { QueryClient } from '@tanstack/react-query';
import { addressOf, call, request, words } from '#platform/web/api.ts';
import { formatCount } from '#platform/web/format.ts';
import { toastDone, toastFailed } from '#platform/web/toast.tsx';
import { deleteImage, type Image, listImages, restoreImage } from '../contract.ts';
import { afterDeletion } from './use-words.ts';

export const needsEditor = 'Changing images needs the editor role.';

/** The address of an image on this page's own host, which the content policy allows. */
export const sourceOf = ({ url }: Pick<Image, 'url'>): string => new URL(url).pathname;

/** Reads again every list of images and each open one. */
export const refreshImages = (queryClient: QueryClient): Promise<void> =>
  queryClient.invalidateQueries({
    predicate: ({ queryKey: [path] }) => typeof path === 'string' && path.startsWith(listImages.path),
  });

/** Deletes an image without asking, says what still shows it, and offers to bring it back. */
export async function deleteAndTell(queryClient: QueryClient, { id, name, keptUntil }: Image): Promise<void> {
  try {
    const { usedBy } = await call(deleteImage, { params: { id } });
    toastDone({
      title: 'Image Deleted',
      message: `“${name}” is deleted. ${afterDeletion({ usedBy, keptUntil })}`,
      action: { label: 'Undo', onClick: () => bringBack(queryClient, id) },
      joins: true,
    });
  } catch (error) {
    toastFailed({ title: 'Error', message: words(error, 'Failed to delete image') });
  }
  await refreshImages(queryClient);
}

/** Deletes the images that a zip brought. Says it if some stay. */
export async function deleteBrought(queryClient: QueryClient, ids: readonly number[]): Promise<void> {
  const results = await Promise.allSettled(ids.map((id) => call(deleteImage, { params: { id } })));
  const left = results.filter(({ status }) => status === 'rejected').length;
  if (left > 0) {
    const message = `${formatCount(left, 'image')} of the zip could not be taken out of the library.`;
    toastFailed({ title: 'Error', message });
  }
  await refreshImages(queryClient);
}

async function bringBack(queryClient: QueryClient, id: number): Promise<void> {
  try {
    const { name } = await call(restoreImage, { params: { id } });
    toastDone({ title: 'Image Restored', message: `“${name}” is back.` });
  } catch (error) {
    toastFailed({ title: 'Error', message: words(error, 'Failed to restore image') });
  }
  await refreshImages(queryClient);
}

/** Deletes images while the page goes. Nobody waits for the answers. */
export function tellUnused(ids: readonly number[]): void {
  for (const id of ids) {
    const init: RequestInit = { method: deleteImage.method, keepalive: true };
    request(addressOf(deleteImage, { params: { id } }), init).catch(() => undefined);
  }
}
