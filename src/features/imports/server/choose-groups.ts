import type { SaidBasis } from '#features/basis/contract.ts';
import { refuseUntrue } from '#features/basis/server/index.ts';
import { refuseMissing } from '#features/memberships/server/index.ts';
import type { ImportOptions, ImportRecord } from '../contract.ts';
import { chosenGroups } from './chosen-groups.ts';
import type { ImportsContext } from './context.ts';
import { writeGroups } from './life-queries.ts';
import { needImport, toRecord } from './records/get-import.ts';
import { noLongerWaiting } from './run-kept.ts';

/**
 * Chooses the list, the tags and the marketing basis for the contacts of a kept file. Throws
 * `invalid_input` unless they are there, and `conflict` once the file is being imported.
 */
export async function chooseGroupsOf(
  context: Pick<ImportsContext, 'db'>,
  workspaceId: number,
  importId: number,
  {
    listId,
    tagIds,
    basis,
  }: { listId: number | null; tagIds: number[]; basis?: SaidBasis | null | undefined },
): Promise<ImportRecord> {
  if (basis) refuseUntrue(basis);
  const groups: Pick<ImportOptions, 'listId' | 'tagIds' | 'basis'> = {
    ...(listId === null ? {} : { listId }),
    ...(tagIds.length === 0 ? {} : { tagIds }),
    ...(basis ? { basis } : {}),
  };
  await needImport(context, workspaceId, importId);
  await context.db.asTenant(workspaceId, async (tx) => {
    await refuseMissing(tx, workspaceId, chosenGroups(groups));
    if (!(await writeGroups(tx, workspaceId, importId, groups, basis === undefined))) throw noLongerWaiting();
  });
  return toRecord(await needImport(context, workspaceId, importId));
}
