import { type AuditRow, selectLinesAbout } from '#features/audit/server/index.ts';
import type { ContactEvent } from '#features/timeline/contract.ts';
import type { TenantTx } from '#platform/server/database.ts';
import { takenBack } from '../rules/taken-back.ts';
import { contactStates, type StoredContact, writtenAddress } from '../rules.ts';
import {
  type CorrectionRow,
  type MergeIntoRow,
  type ReturnRow,
  selectCorrectionsOf,
  selectImportOf,
  selectMergesInto,
  selectReturns,
} from './event-queries.ts';

/** Addresses of merged contacts that are told. */
const namedOthers = 3;

/**
 * What happened to a contact as one: how it came in, what its address was, whom it was merged with, and the bin it came back
 * from. The tables know what and when; the audit log knows who, and what the tables have forgotten since.
 */
export async function contactEvents(
  tx: TenantTx,
  workspaceId: number,
  contact: StoredContact,
  limit: number,
): Promise<ContactEvent[]> {
  const { id } = contact;
  const lines = await selectLinesAbout(tx, workspaceId, [`contact:${id}`], limit);
  const corrections = await selectCorrectionsOf(tx, workspaceId, id, limit);
  const merges = await selectMergesInto(tx, workspaceId, id, limit);
  const returns = await selectReturns(tx, workspaceId, id, removalsIn(lines));
  const undone = await selectLinesAbout(
    tx,
    workspaceId,
    [
      ...corrections.filter(({ undoneAt }) => undoneAt).map((row) => `correction:${row.id}`),
      ...returns.map(({ keptId, id: removal }) =>
        keptId === null ? `removal:${removal}` : `contact:${keptId}`,
      ),
    ],
    limit,
  );
  return [
    await added(tx, workspaceId, contact, corrections, lines),
    ...corrected(contact, corrections, undone),
    ...mergedInto(merges, lines),
    ...returned(returns, undone),
  ];
}

/** The removals of this contact alone, which the log names. */
const removalsIn = (lines: readonly AuditRow[]): number[] =>
  lines.flatMap(({ action, details }) =>
    action === 'contact.removed' && typeof details.removalId === 'number' ? details.removalId : [],
  );

async function added(
  tx: TenantTx,
  workspaceId: number,
  contact: StoredContact,
  corrections: readonly CorrectionRow[],
  lines: readonly AuditRow[],
): Promise<ContactEvent> {
  const { importId, state } = contact;
  const first = corrections.at(-1)?.oldState ?? state;
  const as =
    first === contactStates.invalid ? 'invalid' : first === contactStates.copy ? 'duplicate' : 'active';
  const event = { kind: 'added', at: contact.createdAt.toISOString(), as } as const;
  if (importId === null) return { ...event, import: null, by: whoDid(lines, 'contact.added') };
  const file = await selectImportOf(tx, workspaceId, importId);
  return { ...event, import: { id: importId, fileName: file?.fileName ?? null }, by: file?.by ?? null };
}

function corrected(
  contact: StoredContact,
  corrections: readonly CorrectionRow[],
  undone: readonly AuditRow[],
): ContactEvent[] {
  const changes = corrections.map(({ id, oldLocal, oldDomain, newLocal, newDomain, at, undoneAt }) => ({
    ...{ id, at, undoneAt },
    from: `${oldLocal}@${oldDomain}`,
    to: `${newLocal}@${newDomain}`,
  }));
  const back = takenBack(changes, `${contact.local}@${contact.domain}`);
  return corrections.flatMap(({ id, oldLocal, oldDomain, oldAddress, newLocal, newDomain, ...row }) => {
    const from = writtenAddress({ local: oldLocal, domain: oldDomain, address: oldAddress });
    const to = `${newLocal}@${newDomain}`;
    const made: ContactEvent = { kind: 'corrected', from, to, at: row.at.toISOString(), by: row.by };
    if (!row.undoneAt || !back.has(id)) return [made];
    const at = row.undoneAt.toISOString();
    const about = undone.filter(({ subject }) => subject === `correction:${id}`);
    const by = whoDid(about, 'contacts.correction_undone');
    return [made, { kind: 'correction_undone', from: to, to: from, at, by }];
  });
}

function mergedInto(merges: readonly MergeIntoRow[], lines: readonly AuditRow[]): ContactEvent[] {
  return merges.flatMap(({ id, contacts, by, at, undoneAt }) => {
    const about = lines.filter(({ details }) => details.mergeId === id);
    const named = about.find(({ action }) => action === 'contacts.merged')?.details.merged;
    const others = Array.isArray(named) ? named.map(String).slice(0, namedOthers) : [];
    const made: ContactEvent = { kind: 'merged', others, contacts, at: at.toISOString(), by };
    if (!undoneAt) return [made];
    const who = whoDid(about, 'contacts.unmerged');
    return [made, { kind: 'unmerged', contacts, at: undoneAt.toISOString(), by: who }];
  });
}

function returned(returns: readonly ReturnRow[], undone: readonly AuditRow[]): ContactEvent[] {
  return returns.flatMap(({ id, kind: how, by, at, restoredAt, mergeId, keptAddress }) => {
    const gone: ContactEvent = { kind: 'removed', how, into: keptAddress, at: at.toISOString(), by };
    if (!restoredAt) return [gone];
    const who =
      how === 'merge'
        ? whoDid(
            undone.filter(({ details }) => details.mergeId === mergeId),
            'contacts.unmerged',
          )
        : whoDid(
            undone.filter(({ subject }) => subject === `removal:${id}`),
            'contacts.restored',
          );
    return [gone, { kind: 'restored', how, at: restoredAt.toISOString(), by: who }];
  });
}

/** Who stands in the newest of these lines that tell of an action. */
const whoDid = (lines: readonly AuditRow[], action: string): string | null =>
  lines.find((line) => line.action === action)?.actor || null;
