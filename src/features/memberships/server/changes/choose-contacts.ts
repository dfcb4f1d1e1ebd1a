import { sql } from 'kysely';
import { createAddressParser } from '#features/addresses/rules/parse.ts';
import { idna } from '#features/addresses/server/index.ts';
import type { Tree } from '#features/audience/rules/tree.ts';
import type { Audience } from '#features/audience/server/index.ts';
import type { memberSources } from '#features/contacts/contract.ts';
import { selectFormerContacts } from '#features/review/server/index.ts';
import type { TenantTx } from '#platform/server/database.ts';
import type { Caller } from '#platform/server/http.ts';
import type { ChosenContacts, MembersAdded } from '../../contract.ts';

type Unknown = MembersAdded['unknown'];

/** Whom a call means. */
export interface Chosen {
  /** Null when it means nobody: none of the addresses is a contact. */
  tree: Tree | null;
  unknown: Unknown;
}

export const noneUnknown: Unknown = { count: 0, addresses: [] };

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

interface Asked {
  /** As it was given. */
  email: string;
  local: string;
  domain: string;
}

/**
 * The contacts with these addresses, or that had one of them before, and the addresses that are
 * none. Blank ones are passed over.
 */
async function findAddresses(
  tx: TenantTx,
  workspaceId: number,
  emails: readonly string[],
): Promise<{ ids: number[]; unknown: Unknown }> {
  const given = emails.filter((email) => email.trim() !== '');
  const asked = given.map((email): Asked => ({ email: email.trim(), ...keyIn(email) }));
  const current = await selectCurrent(tx, workspaceId, asked);
  const others = asked.filter((_, place) => current[place] === null);
  const former = await findFormer(tx, workspaceId, others);
  const unknown = [...new Set(others.filter((one) => !former.has(keyOf(one))).map(({ email }) => email))];
  return {
    ids: [...new Set([...current.flatMap((id) => id ?? []), ...former.values()])],
    unknown: { count: unknown.length, addresses: unknown },
  };
}

/** The contact that has each of these addresses now. Null for none. */
async function selectCurrent(
  tx: TenantTx,
  workspaceId: number,
  asked: readonly Asked[],
): Promise<(number | null)[]> {
  const { rows } = await sql<{ id: number | null }>`
    select c.id
    from unnest(${asked.map(({ local }) => local)}::text[], ${asked.map(({ domain }) => domain)}::text[])
      with ordinality as a (local, domain, place)
    left join contacts c on c.workspace_id = ${workspaceId} and c.domain = a.domain and c.local = a.local
      and c.state <> 2
    order by a.place`.execute(tx);
  return rows.map(({ id }) => id);
}

const keyOf = ({ local, domain }: { local: string; domain: string }) => `${local}@${domain}`;

/** The contacts that had these addresses before, by address. */
async function findFormer(
  tx: TenantTx,
  workspaceId: number,
  asked: readonly Asked[],
): Promise<Map<string, number>> {
  if (asked.length === 0) return new Map();
  const domains = asked.map(({ domain }) => domain);
  const locals = asked.map(({ local }) => local);
  const those = 'select * from unnest($2::text[], $3::text[])';
  const rows = await selectFormerContacts(tx, workspaceId, those, [domains, locals]);
  return new Map(rows.map((row) => [keyOf(row), row.id]));
}

/** What is no address is no contact either, unless one was kept exactly as it stands. */
function keyIn(email: string): { local: string; domain: string } {
  const parsed = parser.parse(email.replaceAll('\0', ''));
  return parsed.ok ? parsed : { local: parsed.address, domain: '' };
}
