import { sql } from 'kysely';
import type { UkClass } from '#features/addresses/contract.ts';
import { type AddressKind, type ListedRoles, listedDomains, listedRoles } from '#features/addresses/rules.ts';
import { idna } from '#features/addresses/server/index.ts';
import type { Fragment } from '#platform/server/database.ts';

/*
 * The UK class of a domain and the kind of an address as conditions for the database, made from the
 * lists of the rules. So they hold for contacts that nobody verified, without a column that every
 * import would have to write. A test compares them with the judge.
 */

/**
 * The list as the text of an array, because COPY has no literal for an array. In quotation marks:
 * `null` is a word in it. Long lists are written once.
 */
const arrayOf = (texts: readonly string[]): Fragment => {
  const written = arrays.get(texts) ?? `{${texts.map((text) => `"${text}"`).join(',')}}`;
  arrays.set(texts, written);
  return sql`${written}::text[]`;
};
const arrays = new WeakMap<readonly string[], string>();

/** The last labels of a domain. If it has fewer labels, a text that is no domain. */
const lastLabels = (domain: Fragment, labels: number): Fragment =>
  sql.join(
    Array.from({ length: labels }, (_, at) => sql`split_part(${domain}, '.', ${sql.lit(at - labels)})`),
    sql` || '.' || `,
  );

/** True for a domain in the list, and for those below one. Most domains have no label too many. */
function isBelow(domain: Fragment, list: readonly string[]): Fragment {
  const byLabels = grouped.get(list) ?? Map.groupBy(list, (one) => one.split('.').length);
  grouped.set(list, byLabels);
  const tests = [...byLabels].map(
    ([labels, some]) => sql`(case when ${domain} like ${sql.lit(`%${'.%'.repeat(labels)}`)}
      then ${lastLabels(domain, labels)} else ${domain} end) = any(${arrayOf(some)})`,
  );
  return tests.length === 0 ? sql`false` : sql`(${sql.join(tests, sql` or `)})`;
}

const grouped = new WeakMap<readonly string[], Map<number, string[]>>();

const isBelowAny = (domain: string, list: ReadonlySet<string>): boolean =>
  domain.split('.').some((_label, at, labels) => list.has(labels.slice(at).join('.')));

/** Making the lists takes a moment, so it happens once, when somebody first asks. */
let made:
  | {
      domains: ReturnType<typeof listedDomains>;
      roles: ListedRoles;
      plainProviders: string[];
      /** Domains of any kind but a company's. */
      listed: string[];
      /** Posts without words that may stand for anything. */
      wholePosts: string[];
    }
  | undefined;
function lists() {
  if (made) return made;
  const domains = listedDomains(idna);
  const roles = listedRoles();
  const { disposable, government, nhs, police, academic, provider } = domains;
  made = {
    domains,
    roles,
    plainProviders: plainProviders(domains),
    listed: [...new Set([disposable, government, nhs, police, academic, provider].flat())],
    wholePosts: roles.whole.filter((one) => !roles.placeholders.includes(one)),
  };
  return made;
}

/** Providers of which nothing else is said. */
function plainProviders(domains: ReturnType<typeof listedDomains>): string[] {
  const { disposable, government, nhs, police, academic, provider, work } = domains;
  const others = new Set([disposable, government, nhs, police, academic, work].flat());
  return provider.filter((one) => !/(^|\.)(ac|edu|gov)\...$/.test(one) && !isBelowAny(one, others));
}

/** True for a domain of the UK class. */
export function isOfUkClass(uk: UkClass, domain: Fragment): Fragment {
  const { ukEndings, likelyUk, global } = lists().domains;
  const isUk = sql`split_part(${domain}, '.', -1) = any(${arrayOf(ukEndings)})`;
  if (uk === 'uk') return isUk;
  const isLikely = isBelow(domain, likelyUk);
  if (uk === 'likely_uk') return sql`(not ${isUk} and ${isLikely})`;
  const isGlobal = isBelow(domain, global);
  return sql`(not ${isUk} and not ${isLikely} and ${uk === 'global' ? isGlobal : sql`not ${isGlobal}`})`;
}

/**
 * What the domain alone says about the kind. `open`: a post or a person of an organisation. Most
 * domains are in no list, which is asked first. A comparison with one kind and no list of kinds:
 * within a list, PostgreSQL would not hash the lists of domains.
 */
function kindOfDomain(domain: Fragment): Fragment {
  const { disposable, government, nhs, police, academic, provider, work } = lists().domains;
  const secondLevel = (names: string[]) => sql`(split_part(${domain}, '.', -2) = any(${arrayOf(names)})
    and length(split_part(${domain}, '.', -1)) = 2)`;
  // Many contacts are at a few providers, which are told by one look into one list.
  return sql`(case
    when ${domain} = any(${arrayOf(lists().plainProviders)}) then 'free'
    when not (${isBelow(domain, lists().listed)} or ${secondLevel(['ac', 'edu', 'gov'])}) then 'open'
    when ${isBelow(domain, disposable)} then 'disposable'
    when ${isBelow(domain, government)} then 'government'
    when ${isBelow(domain, nhs)} then 'nhs'
    when ${isBelow(domain, police)} then 'police'
    when ${isBelow(domain, academic)} or ${secondLevel(['ac', 'edu'])} then 'academic'
    when ${secondLevel(['gov'])} then 'government'
    when ${isBelow(domain, provider)} and not ${isBelow(domain, work)} then 'free'
    else 'open'
  end)`;
}

const isPost = (kind: AddressKind): kind is 'role' | 'corporate' => kind === 'role' || kind === 'corporate';

/** Without an ending it is nobody's domain: a copy of an address that was refused may have one. */
const isWhole = (domain: Fragment): Fragment => sql`strpos(${domain}, '.') > 0`;

/** True for the domains of all addresses of the kind. */
export const mayHaveKind = (kind: AddressKind, domain: Fragment): Fragment =>
  sql`(${isWhole(domain)} and ${kindOfDomain(domain)} = ${isPost(kind) ? 'open' : kind})`;

/** The same where they are few. Null when most domains may have some. */
export const canHaveKind = (kind: AddressKind, domain: Fragment): Fragment | null =>
  isPost(kind) ? null : mayHaveKind(kind, domain);

/** True for a contact `c` of the kind. What cannot be mailed has none. */
export function isOfKind(kind: AddressKind): Fragment {
  const ofDomain = kindOfDomain(sql`c.domain`);
  const hasAny = sql`c.state <> 1 and ${isWhole(sql`c.domain`)}`;
  if (!isPost(kind)) return sql`(${hasAny} and ${ofDomain} = ${kind})`;
  // Few are posts, and most of the others are told by their first letters.
  if (kind === 'role') return sql`(${hasAny} and ${isRole()} and ${ofDomain} = 'open')`;
  // Most of what is not corporate is at a provider or a post, which is told soonest. PostgreSQL
  // keeps the order within `case` alone.
  const isPlain = sql`c.domain = any(${arrayOf(lists().plainProviders)})`;
  return sql`(${hasAny} and case when ${isPlain} or ${isRole()} then false else ${ofDomain} = 'open' end)`;
}

/**
 * True for a contact `c` whose local part is a post, by the steps of `profileLocal`. The words are
 * looked up in hashed lists: as one regular expression, they take PostgreSQL 0.4 ms a contact.
 */
function isRole(): Fragment {
  const { whole, placeholders, longest, beginnings } = lists().roles;
  const base = sql`(case when strpos(c.local, '+') > 1 then split_part(c.local, '+', 1) else c.local end)`;
  const joined = sql`translate(${base}, '._-', '')`;
  const bare = sql`rtrim(${joined}, '0123456789')`;
  const saysAnything = sql`(
    rtrim(left(translate(c.local, '._-', ''), 3), '0123456789+') = any(${arrayOf(beginnings)})
    or substr(c.local, 3, 1) in ('.', '_', '-'))`;
  return sql`(${saysAnything} and length(${base}) <= ${sql.lit(longest)} and not ${isFillerOf(lists())} and case
    when ${joined} = any(${arrayOf(lists().wholePosts)}) then true
    when ${joined} = any(${arrayOf(placeholders)}) then false
    when ${bare} = any(${arrayOf(placeholders)}) then false
    when ${bare} = any(${arrayOf(whole)}) then true
    when ${joined} like 'noreply%' or ${joined} like 'donotreply%' then true
    when ${joined} <> ${base} then ${areWords(base, lists().roles)}
    else ${areTwoWords(bare, lists().roles)}
  end)`;
}

/** `head.office`, `info-leeds2`: words for posts and places, with a post. Or with a machine. */
const areWords = (text: Fragment, { general, words, machines }: ListedRoles): Fragment => sql`(
  select bool_or(word = any(${arrayOf(machines)}))
    or (bool_or(word = any(${arrayOf(general)})) and bool_and(word = '' or word = any(${arrayOf([...general, ...words])})))
  from unnest(string_to_array(translate(${text}, '_-', '..'), '.')) as part
  cross join lateral (select rtrim(part, '0123456789') as word) bare)`;

/** `generalenquiries`, `theoffice`: two words as one, of which one names a post. */
function areTwoWords(text: Fragment, { general, words, shortestJoined }: ListedRoles): Fragment {
  const shortest = sql.lit(shortestJoined);
  const [first, second] = [sql`left(${text}, at)`, sql`substr(${text}, at + 1)`];
  const [isPost, isWord] = [general, words].map(
    (list) => (one: Fragment) => sql`${one} = any(${arrayOf(list)})`,
  ) as [(one: Fragment) => Fragment, (one: Fragment) => Fragment];
  return sql`exists (
    select from generate_series(case when ${text} like 'the%' then 3 else ${shortest} end, length(${text}) - ${shortest}) as at
    where (${isPost(first)} and (${isPost(second)} or ${isWord(second)})) or (${isWord(first)} and ${isPost(second)}))`;
}

/** `email@email.com`, and `nobody@nowhere.com`: typed to get past a form, or in an example. */
function isFillerOf({ domains, roles }: ReturnType<typeof lists>): Fragment {
  const name = sql`split_part(c.domain, '.', 1)`;
  return sql`(${isBelow(sql`c.domain`, domains.placeholder)} or (c.local = any(${arrayOf(roles.fillers)})
    and (${name} = c.local or ${name} = any(${arrayOf(roles.fillerNames)}))))`;
}
