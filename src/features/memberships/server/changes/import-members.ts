import { sql } from 'kysely';
import { importing } from '#features/contacts/server/thread.ts';
import type { FormerContact } from '#features/review/server/thread.ts';
import type { Fragment, TenantTx } from '#platform/server/database.ts';
import { AppError } from '#platform/shared/errors.ts';
import { type GroupKind, keyOf, membersNoted, membersOf } from '../group-kind.ts';
import { addedToCounts, type GroupRow, lockGroup, selectGroups } from '../group-queries.ts';
import { takenOver } from './by-merges.ts';
import { hasLeavings, hasLeft } from './leavings.ts';

/** Lists and tags that the contacts of a file are added to. */
export type ChosenGroups = readonly { kind: GroupKind; id: number }[];

/** Throws `invalid_input` unless all of them are there. */
export async function refuseMissing(tx: TenantTx, workspaceId: number, groups: ChosenGroups): Promise<void> {
  for (const { kind, id } of groups) {
    const [group] = await selectGroups(tx, workspaceId, kind, [id]);
    if (!group || group.deletedAt || group.isDynamic) throw unfit(kind, group);
  }
}

/**
 * Answers those of the groups that are still there and take contacts, locked until the transaction
 * ends.
 */
export async function lockThere(
  tx: TenantTx,
  workspaceId: number,
  groups: ChosenGroups,
): Promise<ChosenGroups> {
  const there: ChosenGroups[number][] = [];
  for (const one of groups) {
    const group = await lockGroup(tx, workspaceId, one.kind, one.id);
    if (group && !group.deletedAt && !group.isDynamic) there.push(one);
  }
  return there;
}

const wasThere = sql.raw(importing.wasThere('n'));

/** The contacts of a file, and where they were meant to be. */
interface ImportedMembers {
  importId: number;
  /** Where its rows are. */
  judged: string;
  /** The contacts that former addresses of the file mean. */
  former: readonly FormerContact[];
  groups: ChosenGroups;
}

function unfit({ kind }: GroupKind, group: GroupRow | undefined): AppError {
  if (!group || group.deletedAt) {
    const which = group ? `“${group.name}”` : 'that was chosen';
    return new AppError(
      'invalid_input',
      `The ${kind} ${which} is not there any more. Nothing was imported; choose another.`,
    );
  }
  return new AppError(
    'invalid_input',
    `The list “${group.name}” fills itself by its rules. Nothing was imported; choose another.`,
  );
}

/**
 * Adds the contacts of an import to groups, in its transaction: the new ones, and those that were
 * there already, under this address or another that they had before. A row that becomes a further
 * copy of a contact means both. `judged` is the table of its rows, or a query in brackets, where
 * fate 0 is new and `importing.wasThere` tells who was there; a detail tells of a former address.
 *
 * An import holds no lock on removals, as it would hold it for minutes. Those who were there are
 * held before (`importing.holdContactsThere`), so they cannot be deleted before the commit. Who has
 * left a list themselves stays off it; the answer is how many these are.
 */
export async function addImported(
  tx: TenantTx,
  workspaceId: number,
  { importId, judged, former, groups }: ImportedMembers,
): Promise<number> {
  if (groups.length === 0) return 0;
  let leftOut = 0;
  const there = await importing.joinThoseThere(tx, workspaceId, judged);
  for (const { kind, id } of groups) {
    // Before the members: whoever else changes this group does the same.
    const group = await lockGroup(tx, workspaceId, kind, id);
    if (!group || group.deletedAt || group.isDynamic) throw unfit(kind, group);
    const isLeft = await hasLeavings(tx, workspaceId, kind, id);
    const stays = (row: string) => (isLeft ? sql`not ${hasLeft(workspaceId, kind, id, row)}` : sql`true`);
    if (isLeft)
      leftOut += await countLeft(tx, workspaceId, { kind, id }, { judged, there: there.workspace, former });
    const takeOver = takenOver(workspaceId, kind, id, { source: 'import', sourceId: importId });
    const add = (contacts: Fragment, areNew = false) => sql`
      with chosen as materialized (${contacts}),
      added as (
        insert into ${membersOf(kind)} (workspace_id, ${keyOf(kind)}, contact_id, source, source_id)
        select ${workspaceId}::bigint, ${id}::bigint, id, 'import', ${importId}::bigint from chosen order by id
        on conflict do nothing returning contact_id
      ),
      ${areNew ? sql`` : sql`taken_over as (${takeOver}),`}
      noted as (${membersNoted(workspaceId, kind, id, 'added', sql`added`)})
      ${addedToCounts(workspaceId, kind, sql`select ${id}::bigint as id, count(*) as contacts from added`)}`;
    await add(sql`select n.id from ${sql.raw(judged)} n where n.fate = 0 and ${stays('n')}`, true).execute(
      tx,
    );
    if (there.areAny)
      await add(sql`
      select c.id from contacts c
      where c.workspace_id = ${there.workspace} and c.state <> 2 and (c.domain, c.local) in (
        select n.domain, n.local from ${sql.raw(judged)} n where ${wasThere}
      ) and ${stays('c')}
      order by c.id for key share`).execute(tx);
    if (former.length === 0) continue;
    await add(sql`
      select c.id from contacts c
      where c.workspace_id = ${workspaceId} and c.id = any(${former.map((one) => one.id)}::bigint[]) and ${stays('c')}
      order by c.id for key share`).execute(tx);
  }
  await importing.joinAsUsual(tx);
  return leftOut;
}

/** The contacts of a file who have left a group themselves. */
async function countLeft(
  tx: TenantTx,
  workspaceId: number,
  { kind, id }: ChosenGroups[number],
  { judged, there, former }: Pick<ImportedMembers, 'judged' | 'former'> & { there: Fragment },
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from (
      select n.domain, n.local from ${sql.raw(judged)} n
      where n.fate = 0 and ${hasLeft(workspaceId, kind, id, 'n')}
      union
      select c.domain, c.local from contacts c
      where c.workspace_id = ${there} and (c.domain, c.local) in (
        select n.domain, n.local from ${sql.raw(judged)} n where ${wasThere}
      ) and ${hasLeft(workspaceId, kind, id, 'c')}
      union
      select c.domain, c.local from contacts c
      where c.workspace_id = ${workspaceId} and c.id = any(${former.map((one) => one.id)}::bigint[])
        and ${hasLeft(workspaceId, kind, id, 'c')}
    ) gone`.execute(tx);
  return rows[0]?.count ?? 0;
}
