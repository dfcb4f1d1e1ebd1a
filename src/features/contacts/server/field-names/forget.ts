import type { Database } from '#platform/server/database.ts';
import {
  deleteUnusedNames,
  lookInBin,
  lookInContacts,
  newest,
  noteUsed,
  type Place,
  selectUnusedNames,
} from './queries.ts';

/** So long a name stays that nobody gives to a contact. Then it is looked for. */
const unusedDays = 30;

/** Contacts that are read in one transaction. */
const inOnePiece = 20_000;

/**
 * Forgets the names of extra fields that no contact has, here or in the bin. An import that was
 * undone would leave its columns in every list and export for ever. A name is found with the newest
 * contacts, as a rule, and is then not looked for again for 30 days. Only for one that nobody has,
 * or hardly anybody, all contacts are read, newest first and a piece at a time.
 *
 * What still asks for a forgotten name goes on: segments and views keep it by itself, and templates
 * say that no contact has it, which is so.
 */
export async function forgetFieldNames(
  db: Database,
  workspaceId: number,
  signal: AbortSignal | undefined,
  piece = inOnePiece,
): Promise<void> {
  const begunAt = new Date();
  let names = await db.asTenant(workspaceId, (tx) => selectUnusedNames(tx, workspaceId, unusedDays));
  // The bin comes last: contacts that are removed meanwhile are met there.
  for (const look of [lookInContacts, lookInBin]) {
    let place: Place | null = newest;
    while (names.length > 0 && place !== null) {
      signal?.throwIfAborted();
      const before: Place = place;
      const { found, next } = await db.asTenant(workspaceId, async (tx) => {
        const looked = await look(tx, workspaceId, names, before, piece);
        await noteUsed(tx, workspaceId, looked.found, unusedDays);
        return looked;
      });
      names = names.filter((name) => !found.includes(name));
      place = next;
    }
  }
  if (names.length === 0) return;
  await db.asTenant(workspaceId, (tx) =>
    deleteUnusedNames(tx, workspaceId, names, { days: unusedDays, begunAt }),
  );
}
