import { sql } from 'kysely';
import { ukClass } from '#features/addresses/rules.ts';
import { basesByCode } from '#features/contacts/rules/bases.ts';
import type { Calls } from './calls.ts';

/**
 * What there is, read row by row from the tables as their owner and counted here. Uses none of the
 * product's queries.
 */
export interface Recount {
  contacts: CountedContact[];
  /** By reason. */
  emails: Tally;
  domains: Tally;
  /** By kind of hash. */
  hashes: Tally;
  /** Contacts of each entry: the address itself, or the domain with its subdomains. */
  ofAddress: Tally;
  ofDomain: Tally;
  sharedMailboxes: number;
  /** Contacts in the bin by removal. */
  inBin: Tally;
}

export type Tally = Record<string, number>;

export interface CountedContact {
  id: number;
  local: string;
  domain: string;
  state: number;
  status: string;
  ukClass: string;
  importId: number | null;
  verdict: string | null;
  reasons: string[] | null;
  kind: string | null;
  verifiedUk: string | null;
  /** From and to, when a correction is suggested. */
  pattern: string | null;
  /** The numbers of its lists and tags that are not deleted. */
  lists: number[];
  tags: number[];
  basis: string;
}

export const tally = (names: Iterable<string>): Tally => {
  const counts: Tally = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
};

const statusOf = ({ state, suppressed }: { state: number; suppressed: boolean }) =>
  suppressed ? 'suppressed' : (['active', 'invalid', 'duplicate'][state] as string);

export async function recount({ product, person: { workspaceId } }: Calls): Promise<Recount> {
  const rowsOf = async <Row>(query: ReturnType<typeof sql<Row>>) =>
    (await query.execute(product.owner.system)).rows;
  const contacts = await rowsOf(sql<
    Omit<CountedContact, 'status' | 'ukClass' | 'basis'> & { suppressed: boolean; basisCode: number | null }
  >`
    select c.id, c.local, c.domain, c.state, c.import_id as "importId", p.verdict, p.reasons, p.kind,
      p.uk as "verifiedUk", g.from_domain || ' ' || g.to_domain as pattern, b.basis as "basisCode",
      array(select m.list_id::int from list_members m join lists l on l.workspace_id = m.workspace_id and l.id = m.list_id
        where m.workspace_id = c.workspace_id and m.contact_id = c.id and l.deleted_at is null) as lists,
      array(select m.tag_id::int from contact_tags m join tags t on t.workspace_id = m.workspace_id and t.id = m.tag_id
        where m.workspace_id = c.workspace_id and m.contact_id = c.id and t.deleted_at is null) as tags,
      exists (select from suppressions s where s.workspace_id = c.workspace_id
        and s.local || '@' || s.domain = c.local || '@' || c.domain)
      or exists (select from domain_suppressions d where d.workspace_id = c.workspace_id
        and '.' || c.domain like '%.' || d.domain) as suppressed
    from contacts c
    left join contact_verifications v on v.workspace_id = c.workspace_id and v.contact_id = c.id
    left join verdict_profiles p on p.workspace_id = c.workspace_id and p.id = v.profile_id
    left join contact_suggestions g on g.workspace_id = c.workspace_id and g.contact_id = c.id
    left join contact_bases b on b.workspace_id = c.workspace_id and b.contact_id = c.id
    where c.workspace_id = ${workspaceId} order by c.id`);
  // What is no address has no domain, and is shown as it was written.
  const entries = await rowsOf(sql<{ name: string; reason: string }>`
    select local || case when domain = '' then '' else '@' || domain end as name, reason from suppressions where workspace_id = ${workspaceId}`);
  const blocked = await rowsOf(sql<{ name: string; reason: string }>`
    select domain as name, reason from domain_suppressions where workspace_id = ${workspaceId}`);
  const hashes = await rowsOf(sql<{ kind: string }>`
    select kind from suppression_hashes where workspace_id = ${workspaceId}`);
  const shared = await rowsOf(sql<{ local: string }>`
    select local from shared_mailboxes where workspace_id = ${workspaceId}`);
  const removed = await rowsOf(sql<{ removal: number }>`
    select removal_id as removal from removed_contacts where workspace_id = ${workspaceId}`);
  const isUnder = (domain: string, name: string) => domain === name || domain.endsWith(`.${name}`);
  return {
    contacts: contacts.map((one) => ({
      ...one,
      ...{ status: statusOf(one), ukClass: ukClass(one.domain) },
      basis: basesByCode[one.basisCode ?? 0] as string,
    })),
    emails: tally(entries.map(({ reason }) => reason)),
    domains: tally(blocked.map(({ reason }) => reason)),
    hashes: tally(hashes.map(({ kind }) => kind)),
    ofAddress: Object.fromEntries(
      entries.map(({ name }) => [
        name,
        contacts.filter(({ local, domain }) => (domain === '' ? local : `${local}@${domain}`) === name)
          .length,
      ]),
    ),
    ofDomain: Object.fromEntries(
      blocked.map(({ name }) => [name, contacts.filter(({ domain }) => isUnder(domain, name)).length]),
    ),
    sharedMailboxes: shared.length,
    inBin: tally(removed.map(({ removal }) => String(removal))),
  };
}
