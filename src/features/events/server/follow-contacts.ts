import { sql } from 'kysely';
import type { ContactFollower } from '#platform/server/feature.ts';
import { contactsNoted, noteEvents } from './write-events.ts';

/** Says in the stream which contacts leave, come back, and become one. */
export const contactsInStream: ContactFollower = {
  async left(tx, workspaceId, { gone }) {
    await contactsNoted(workspaceId, { type: 'contact.removed' }, sql`select g.id from (${gone}) g`).execute(
      tx,
    );
  },
  cameBack: (tx, workspaceId, ids) =>
    noteEvents(tx, workspaceId, [{ type: 'contact.restored', contactIds: ids }]),
  merged: (tx, workspaceId, { keptId, otherIds }) =>
    noteEvents(tx, workspaceId, [{ type: 'contact.merged', subjectId: keptId, contactIds: otherIds }]),
  async unmerged() {},
};
