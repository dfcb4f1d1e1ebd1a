import { type AuditRow, selectLinesAbout, whoDid } from '#features/audit/server/index.ts';
import { type StoredContact, writtenAddress } from '#features/contacts/rules.ts';
import type { TenantTx } from '#platform/server/database.ts';
import type { ReviewEvent } from '../contract/contact-events.ts';
import { takenBack } from '../rules/taken-back.ts';
import {
  type CorrectionRow,
  type MergeIntoRow,
  selectCorrectionsOf,
  selectMergesInto,
} from './event-queries.ts';
/**
 * What a contact's address was, and whom it was merged with. The tables know what and when. The
 * audit log knows who, and what the tables have forgotten since.
 */
export async function tellEvents(
  tx: TenantTx,
  workspaceId: number,
  contact: StoredContact,
  limit: number,
): Promise<ReviewEvent[]> {
  const { id } = contact;
  const lines = await selectLinesAbout(tx, workspaceId, [`contact:${id}`], limit);
  const corrections = await selectCorrectionsOf(tx, workspaceId, id, limit);
  const merges = await selectMergesInto(tx, workspaceId, id, limit);
  const taken = corrections.filter(({ undoneAt }) => undoneAt).map((row) => `correction:${row.id}`);
  const undone = await selectLinesAbout(tx, workspaceId, taken, limit);
  return [...corrected(contact, corrections, undone), ...mergedInto(merges, lines)];
}

/** How many addresses of merged contacts are named. */
const namedOthers = 3;

function corrected(
  contact: StoredContact,
  corrections: readonly CorrectionRow[],
  undone: readonly AuditRow[],
): ReviewEvent[] {
  const changes = corrections.map(({ id, oldLocal, oldDomain, newLocal, newDomain, at, undoneAt }) => ({
    ...{ id, at, undoneAt },
    from: `${oldLocal}@${oldDomain}`,
    to: `${newLocal}@${newDomain}`,
  }));
  const back = takenBack(changes, `${contact.local}@${contact.domain}`);
  return corrections.flatMap(({ id, oldLocal, oldDomain, oldAddress, newLocal, newDomain, ...row }) => {
    const from = writtenAddress({ local: oldLocal, domain: oldDomain, address: oldAddress });
    const to = `${newLocal}@${newDomain}`;
    const made: ReviewEvent = { kind: 'corrected', from, to, at: row.at.toISOString(), by: row.by };
    if (!row.undoneAt || !back.has(id)) return [made];
    const at = row.undoneAt.toISOString();
    const about = undone.filter(({ subject }) => subject === `correction:${id}`);
    const by = whoDid(about, 'contacts.correction_undone');
    return [made, { kind: 'correction_undone', from: to, to: from, at, by }];
  });
}

function mergedInto(merges: readonly MergeIntoRow[], lines: readonly AuditRow[]): ReviewEvent[] {
  return merges.flatMap(({ id, contacts, by, at, undoneAt }) => {
    const about = lines.filter(({ details }) => details.mergeId === id);
    const named = about.find(({ action }) => action === 'contacts.merged')?.details.merged;
    const others = Array.isArray(named) ? named.map(String).slice(0, namedOthers) : [];
    const made: ReviewEvent = { kind: 'merged', others, contacts, at: at.toISOString(), by };
    if (!undoneAt) return [made];
    const who = whoDid(about, 'contacts.unmerged');
    return [made, { kind: 'unmerged', contacts, at: undoneAt.toISOString(), by: who }];
  });
}
