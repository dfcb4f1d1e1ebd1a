import { refuseUntrue } from '#features/basis/server/index.ts';
import { refuseMissing } from '#features/memberships/server/index.ts';
import type { BodyOf } from '#platform/shared/contract.ts';
import type { chooseGroups, ImportRecord } from '../contract.ts';
import { chosenGroups } from './chosen-groups.ts';
import type { ImportsContext } from './context.ts';
import { writeGroups } from './life-queries.ts';
import { needImport, toRecord } from './records/get-import.ts';
import { noLongerWaiting } from './run-kept.ts';

/**
 * Chooses those of the list, the tags and the marketing basis for the contacts of a kept file that
 * are given. Throws `invalid_input` unless they are there, and `conflict` once the file is being
 * imported.
 */
export async function chooseGroupsOf(
  context: Pick<ImportsContext, 'db'>,
  workspaceId: number,
  importId: number,
  { listId, tagIds, basis }: BodyOf<typeof chooseGroups>,
): Promise<ImportRecord> {
  if (basis) refuseUntrue(basis);
  const groups = {
    ...(listId === undefined ? {} : { listId }),
    ...(tagIds === undefined ? {} : { tagIds: tagIds.length === 0 ? null : tagIds }),
    ...(basis === undefined ? {} : { basis }),
  };
  await needImport(context, workspaceId, importId);
  await context.db.asTenant(workspaceId, async (tx) => {
    await refuseMissing(tx, workspaceId, chosenGroups({ listId, tagIds }));
    if (!(await writeGroups(tx, workspaceId, importId, groups))) throw noLongerWaiting();
  });
  return toRecord(await needImport(context, workspaceId, importId));
}
