import { sql } from 'kysely';
import { idna } from '#features/addresses/server/index.ts';
import { contactStates } from '#features/contacts/rules.ts';
import type { Fragment, TenantTx } from '#platform/server/database.ts';
import type { ContactFilter, ContactSelection } from '../contract.ts';
import type { SearchFilter } from '../rules.ts';
import { idsOf, isNamed, matchesAddress } from './filter-queries.ts';
import { countContacts, hasId, namedContacts } from './named-queries.ts';
import { conditionFor, countAll, filterFor, findAll, plainConditionFor } from './search.ts';

const stored = (tx: TenantTx, workspaceId: number, filter: ContactFilter) =>
  filterFor(tx, workspaceId, filter, idna.toAscii);

/** The ids of the contacts that a selection holds, as a fragment: for other features that act on them as a set. */
export async function selectedContacts(
  tx: TenantTx,
  workspaceId: number,
  selection: ContactSelection,
): Promise<Fragment> {
  if ('ids' in selection) return namedContacts(workspaceId, selection.ids);
  return idsOf(await findAll(tx, workspaceId, await stored(tx, workspaceId, selection.filter)));
}

/** True for the contacts `c` that a selection holds; for other features that read them one after the other. */
export async function conditionOf(
  tx: TenantTx,
  workspaceId: number,
  selection: ContactSelection,
): Promise<Fragment> {
  if ('ids' in selection) return hasId(selection.ids);
  return plainConditionFor(tx, workspaceId, await stored(tx, workspaceId, selection.filter));
}

export async function countSelected(
  tx: TenantTx,
  workspaceId: number,
  selection: ContactSelection,
): Promise<number> {
  if ('ids' in selection) return countContacts(tx, workspaceId, hasId(selection.ids));
  return countAll(tx, workspaceId, await stored(tx, workspaceId, selection.filter));
}

/** True for the contacts `c` that a selection holds, for work that walks all contacts by id, piece by piece. */
export async function conditionForWalk(
  tx: TenantTx,
  workspaceId: number,
  selection: ContactSelection,
): Promise<Fragment> {
  if ('ids' in selection) return hasId(selection.ids);
  return conditionOnContact(workspaceId, await stored(tx, workspaceId, selection.filter));
}

/**
 * A filter as a condition on the contact alone, for a walk by id over all contacts: it is tested once a contact, so that no
 * index has to find again for every piece what is left.
 */
function conditionOnContact(workspaceId: number, filter: SearchFilter): Fragment {
  const address = matchesAddress(workspaceId, filter);
  if (filter.status === null) return address;
  const suppressed = sql`(
    exists (
      select from suppressions s
      where s.workspace_id = c.workspace_id and s.domain = c.domain and s.local = c.local
    ) or exists (
      select from contact_domains b where b.workspace_id = c.workspace_id and b.domain = c.domain and b.blocked
    ))`;
  if (filter.status === 'suppressed') return sql`${address} and ${suppressed}`;
  const state = {
    active: contactStates.valid,
    invalid: contactStates.invalid,
    duplicate: contactStates.copy,
  };
  return sql`${address} and c.state = ${sql.lit(state[filter.status])} and not ${suppressed}`;
}

/**
 * The condition that picks the contacts `c` of a selection, for a query that reads them with `contactsWithSuppression`, and how
 * many they are. It has no array in it, for which COPY has no literal.
 */
export async function findSelected(
  tx: TenantTx,
  workspaceId: number,
  selection: ContactSelection,
): Promise<{ where: Fragment; contacts: number }> {
  if ('ids' in selection) {
    const contacts = await countContacts(tx, workspaceId, hasId(selection.ids));
    return { where: isNamed(workspaceId, selection.ids), contacts };
  }
  const filter = await stored(tx, workspaceId, selection.filter);
  const where = await conditionFor(tx, workspaceId, filter);
  return { where, contacts: await countAll(tx, workspaceId, filter) };
}
