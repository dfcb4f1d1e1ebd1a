import { sql } from 'kysely';
import { createAddressParser } from '#features/addresses/rules/parse.ts';
import { idna } from '#features/addresses/server/index.ts';
import type { Tree } from '#features/audience/rules/tree.ts';
import type { Audience } from '#features/audience/server/index.ts';
import type { memberSources } from '#features/contacts/contract.ts';
import type { TenantTx } from '#platform/server/database.ts';
import type { Caller } from '#platform/server/http.ts';
import { type ChosenContacts, type MembersAdded, sampledAddresses } from '../../contract.ts';

type Unknown = MembersAdded['unknown'];

/** Whom a call means. */
export interface Chosen {
  /** Null when it means nobody: none of the addresses is a contact. */
  tree: Tree | null;
  unknown: Unknown;
}

export const noneUnknown: Unknown = { count: 0, sample: [] };

/** Where the contacts of a call come from, as it is kept with each. */
export function sourceOf(caller: Caller, asked: ChosenContacts): (typeof memberSources)[number] {
  if (caller.key) return 'api';
  if ('emails' in asked) return 'pasted';
  return 'ids' in asked ? 'chosen' : 'filter';
}

/** Finds whom a call means. Throws `invalid_input` for a filter that is not understood. */
export async function chooseContacts(
  audience: Audience,
  tx: TenantTx,
  workspaceId: number,
  asked: ChosenContacts,
): Promise<Chosen> {
  if (!('emails' in asked)) return { tree: audience.of(asked), unknown: noneUnknown };
  const { ids, unknown } = await findAddresses(tx, workspaceId, asked.emails);
  return { tree: ids.length === 0 ? null : audience.of({ ids }), unknown };
}

const parser = createAddressParser({ ...idna, strict: false, cacheSlots: 256 });

/**
 * The contacts with these addresses, and the addresses that are none. Blank ones are passed over.
 */
async function findAddresses(
  tx: TenantTx,
  workspaceId: number,
  emails: readonly string[],
): Promise<{ ids: number[]; unknown: Unknown }> {
  const given = emails.filter((email) => email.trim() !== '');
  const parsed = given.map((email) => ({ email: email.trim(), ...keyIn(email) }));
  const { rows } = await sql<{ place: number; id: number | null }>`
    select a.place, c.id
    from unnest(${parsed.map(({ local }) => local)}::text[], ${parsed.map(({ domain }) => domain)}::text[])
      with ordinality as a (local, domain, place)
    left join contacts c on c.workspace_id = ${workspaceId} and c.domain = a.domain and c.local = a.local
      and c.state <> 2
    order by a.place`.execute(tx);
  const unknown = rows.flatMap(({ place, id }) => (id === null ? [parsed[place - 1]?.email ?? ''] : []));
  return {
    ids: [...new Set(rows.flatMap(({ id }) => id ?? []))],
    unknown: { count: unknown.length, sample: unknown.slice(0, sampledAddresses) },
  };
}

/** What is no address is no contact either, unless one was kept exactly as it stands. */
function keyIn(email: string): { local: string; domain: string } {
  const parsed = parser.parse(email.replaceAll('\0', ''));
  return parsed.ok ? parsed : { local: parsed.address, domain: '' };
}
