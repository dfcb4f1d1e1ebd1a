import { sql } from 'kysely';
import { contactsOf } from '#features/bin/server/index.ts';
import type { StoredContact } from '#features/contacts/rules.ts';
import type { Memberships } from '#features/memberships/server/index.ts';
import type { Topics } from '#features/tracking/server/index.ts';
import type { Fragment, TenantTx } from '#platform/server/database.ts';
import type { Person, PersonalData } from '#platform/server/feature.ts';
import type { ListsEvent } from '../contract/contact-events.ts';
import { listKind } from './list-kind.ts';
import {
  carryLeavings,
  deleteLeavings,
  endLeaving,
  insertLeaving,
  selectLeavings,
  selectReader,
  selectTopics,
} from './topic-queries.ts';

/** Public lists as the topics of the preference page. */
export const topicsOf = ({ byReaders }: Pick<Memberships, 'byReaders'>): Topics => ({
  async of(tx, workspaceId, reader) {
    const contact = await selectReader(tx, workspaceId, reader);
    return contact ? selectTopics(tx, workspaceId, contact.id) : [];
  },
  async choose(tx, workspaceId, reader, { mailingId, topics: wanted }) {
    const contact = await selectReader(tx, workspaceId, reader);
    const changed = { joined: [] as string[], left: [] as string[] };
    if (!contact) return changed;
    const shown = await selectTopics(tx, workspaceId, contact.id);
    const moved = shown.filter(({ id, isChosen }) => wanted.has(id) && wanted.get(id) !== isChosen);
    // In the order of their numbers, as an import does that adds to several.
    for (const { id } of moved.toSorted((one, other) => one.id - other.id)) {
      await byReaders.hold(tx, workspaceId, listKind, id);
      const move = { groupId: id, contactId: contact.id, mailingId };
      if (wanted.get(id)) {
        await endLeaving(tx, workspaceId, contact, id);
        await byReaders.add(tx, workspaceId, listKind, move);
      } else {
        await insertLeaving(tx, workspaceId, contact, { listId: id, mailingId });
        await byReaders.remove(tx, workspaceId, listKind, move);
      }
    }
    for (const { id, name } of moved) (wanted.get(id) ? changed.joined : changed.left).push(name);
    return changed;
  },
  async noteLeft(tx, workspaceId, reader, { mailingId, topics: wanted }) {
    const contact = await selectReader(tx, workspaceId, reader);
    if (!contact) return [];
    const shown = await selectTopics(tx, workspaceId, contact.id);
    const left = shown.filter(({ id, isChosen }) => isChosen && wanted.get(id) === false);
    // In the order of their numbers: nobody waits in a circle with what a merge carries.
    for (const { id: listId } of left.toSorted((one, other) => one.id - other.id))
      await insertLeaving(tx, workspaceId, contact, { listId, mailingId, isWaiting: true });
    return left.map(({ name }) => name);
  },
  carryLeft: carryLeavings,
});

/** The topics that a contact has left by itself, without those that are deleted for good. */
export async function tellLeavings(
  tx: TenantTx,
  workspaceId: number,
  { id }: Pick<StoredContact, 'id'>,
  limit: number,
): Promise<ListsEvent[]> {
  const rows = await selectLeavings(tx, workspaceId, sql`t.contact_id = ${id} and l.id is not null`, limit);
  return rows.map(({ listId, name, at }) => ({
    kind: 'left_topic',
    at: at.toISOString(),
    by: null,
    list: { id: listId, name },
  }));
}

/**
 * What a person has left. It holds for the address, whether or not it is a contact, and for the
 * contact that has another address by now.
 */
const leftBy = (person: Person): Fragment => sql`(
  (t.domain = ${person.domain} and t.local = ${person.local}) or t.contact_id in (${contactsOf(person)}))`;

/** The topics that a person has left. */
export const personalLeavings: PersonalData = {
  async export(tx, person) {
    const rows = await selectLeavings(tx, person.workspaceId, leftBy(person), 1_000);
    return rows.length === 0 ? {} : { topicsLeft: rows.map(({ name, at }) => ({ name, at })) };
  },
  erase: (tx, person) => deleteLeavings(tx, person.workspaceId, leftBy(person)),
};
