import type { QueryClient } from '@tanstack/react-query';
import { call, words } from '#platform/web/api.ts';
import { toastDone, toastFailed } from '#platform/web/toast.tsx';
import {
  deleteTemplate,
  duplicateTemplate,
  listTemplates,
  restoreTemplate,
  restoreTemplateVersion,
  type Template,
  type TemplateSummary,
} from '../contract.ts';

export const needsEditor = 'Changing templates needs the editor role.';

/** Reads again every list of templates, and each open one with its versions. */
export const refreshTemplates = (queryClient: QueryClient): Promise<void> =>
  queryClient.invalidateQueries({
    predicate: ({ queryKey: [path] }) => typeof path === 'string' && path.startsWith(listTemplates.path),
  });

export const tellFailed = (error: unknown, fallback: string) =>
  toastFailed({ title: 'Error', message: words(error, fallback) });

/** Deletes a template without asking, and offers to bring it back. Never rejects. */
export async function deleteAndTell(queryClient: QueryClient, { id }: TemplateSummary): Promise<void> {
  try {
    await call(deleteTemplate, { params: { id } });
    toastDone({
      title: 'Template Deleted',
      message: 'Template has been deleted successfully.',
      action: { label: 'Undo', onClick: () => bringBack(queryClient, id) },
      joins: true,
    });
  } catch (error) {
    tellFailed(error, 'Failed to delete template');
  }
  await refreshTemplates(queryClient);
}

async function bringBack(queryClient: QueryClient, id: number): Promise<void> {
  try {
    const { name } = await call(restoreTemplate, { params: { id } });
    toastDone({ title: 'Template Restored', message: `“${name}” is back.` });
  } catch (error) {
    tellFailed(error, 'Failed to restore template');
  }
  await refreshTemplates(queryClient);
}

/** Makes a copy and says what it is called. Never rejects. */
export async function duplicateAndTell(queryClient: QueryClient, { id }: TemplateSummary): Promise<void> {
  try {
    const { name } = await call(duplicateTemplate, { params: { id } });
    toastDone({ title: 'Template Duplicated', message: `“${name}” has the same content.` });
  } catch (error) {
    tellFailed(error, 'Failed to duplicate template');
  }
  await refreshTemplates(queryClient);
}

/** An editor in which the template is open. */
export interface OpenEditor {
  /**
   * Saves what is written there, and answers the version that holds it. Null: it cannot be saved,
   * and the editor says why.
   */
  save: () => Promise<number | null>;
  /** Somebody has gone back to a version, or has taken that back. */
  onRestored: (now: Template) => void;
}

/**
 * Goes back to a version and offers to take that back. Rejects when the template has changed since
 * it was seen. Taken back is nothing that somebody has written on meanwhile.
 */
export async function goBackAndTell(
  queryClient: QueryClient,
  { id, version: seen }: Pick<Template, 'id' | 'version'>,
  version: number,
  editor?: OpenEditor,
): Promise<void> {
  const now = await call(restoreTemplateVersion, { params: { id, version }, body: { version: seen } });
  editor?.onRestored(now);
  await refreshTemplates(queryClient);
  const takeBack = async () => {
    const written = editor ? await editor.save() : now.version;
    if (written === null) return;
    if (written === now.version) return goBackAndTell(queryClient, now, seen, editor);
    const message = `This was not undone, because something was written since. Version ${seen} is among the versions.`;
    toastFailed({ title: 'Error', message });
  };
  toastDone({
    title: 'Version Restored',
    message: `“${now.name}” is as it was in version ${version}. That is version ${now.version} now.`,
    action: {
      label: 'Undo',
      onClick: () => void takeBack().catch((error) => tellFailed(error, 'This was not undone.')),
    },
  });
}
