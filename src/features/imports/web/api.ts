import type { QueryClient } from '@tanstack/react-query';
import type { SaidBasis } from '#features/basis/contract.ts';
import { refreshContacts } from '#features/contacts/web/index.ts';
import { getSettings } from '#features/settings/contract.ts';
import type { BodyOf } from '#platform/shared/contract.ts';
import { addressOf, call, queryOptionsFor, request } from '#platform/web/api.ts';
import { showNewer } from '#platform/web/query-client.ts';
import { downloadFrom, type UploadProgress, upload } from '#platform/web/transfer.ts';
import {
  chooseGroups,
  getImport,
  type ImportCheck,
  type ImportNotes,
  type ImportOptions,
  type ImportRecord,
  importFile,
  importReceipt,
  listImports,
  runImport,
} from '../contract.ts';

/** An import with its dry run, if it had one. */
export type OneImport = ImportRecord & { check: ImportCheck | null; notes: ImportNotes | null };

export const pageSize = 20;

export const importQuery = (id: number) => queryOptionsFor(getImport, { params: { id } });
export const importsQuery = (page = 1, limit = pageSize) =>
  queryOptionsFor(listImports, { query: { page, limit } });
export const settingsQuery = queryOptionsFor(getSettings);

/** The states of an import in which the server works on it. */
const busyStates = ['uploading', 'checking', 'processing'];
export const isBusy = ({ status }: Pick<ImportRecord, 'status'>): boolean => busyStates.includes(status);

/** Shows an import as it is now. */
export const showImport = (
  queryClient: QueryClient,
  id: number,
  next: (before: OneImport | undefined) => OneImport | undefined,
): void => showNewer(queryClient, importQuery(id).queryKey, next);

/** Reads the imports again after one was begun, has ended or was discarded. */
export async function refreshImports(queryClient: QueryClient): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: [listImports.path] });
}

/** Reads everything again that an import or its undo changes. */
export async function refreshAfterImport(queryClient: QueryClient): Promise<void> {
  await Promise.all([
    refreshContacts(queryClient),
    ...[listImports, getImport].map(({ path }) => queryClient.invalidateQueries({ queryKey: [path] })),
  ]);
}

interface SendFile {
  file: File;
  options: ImportOptions;
  dryRun: boolean;
  onProgress: (progress: UploadProgress) => void;
  signal: AbortSignal;
}

/**
 * Sends a file and returns its import's id once the server has all of it. The work goes on, and its
 * events report it. The fields come before the file so that rows are read during the upload.
 */
export async function sendFile({ file, options, dryRun, onProgress, signal }: SendFile): Promise<number> {
  const form = new FormData();
  form.append('options', JSON.stringify(options));
  form.append('reading', '{}');
  form.append('dryRun', String(dryRun));
  form.append('file', file, file.name);
  const { id } = await upload(importFile, {
    form,
    headers: { prefer: 'respond-async' },
    onProgress,
    signal,
  });
  return id;
}

export interface ChosenGroups {
  listId?: number | undefined;
  tagIds?: number[] | undefined;
  basis?: SaidBasis | undefined;
}

/**
 * Chooses those of the list, the tags and the marketing basis for the contacts of a kept file that
 * are named. Undefined for none.
 */
export const saveGroups = (id: number, groups: ChosenGroups) =>
  call(chooseGroups, {
    params: { id },
    body: {
      ...('listId' in groups && { listId: groups.listId ?? null }),
      ...('tagIds' in groups && { tagIds: groups.tagIds ?? [] }),
      ...('basis' in groups && { basis: groups.basis ?? null }),
    },
  });

/**
 * Starts the import of a checked file with its last checked choices, unless they are not those that
 * were seen. The events report how it goes on.
 */
export async function startImport({ id, options, choicesHash }: OneImport): Promise<void> {
  const { listId = null, tagIds = [], basis = null } = options;
  const body: BodyOf<typeof runImport> = { seen: { choicesHash, listId, tagIds, basis } };
  await request(addressOf(runImport, { params: { id } }), {
    method: runImport.method,
    headers: { 'content-type': 'application/json', prefer: 'respond-async' },
    body: JSON.stringify(body),
  });
}

export const downloadReceipt = ({ id, fileName }: Pick<ImportRecord, 'id' | 'fileName'>): Promise<void> =>
  downloadFrom(
    addressOf(importReceipt, { params: { id } }),
    `${fileName.replace(/\.(csv|xlsx)$/i, '')}-receipt.csv`,
  );
