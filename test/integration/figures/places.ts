import { parse } from 'papaparse';
import { createDomainSorter, createJudge } from '#features/addresses/rules.ts';
import { idna } from '#features/addresses/server/index.ts';
import type { CleanReasonView } from '#features/bin/contract.ts';
import { checkBooks } from '#features/rollups/server/index.ts';
import type { Calls } from './calls.ts';
import { segments } from './group-work.ts';
import { type CountedContact, type Recount, recount, type Tally, tally } from './recount.ts';

/** Every place where a figure stands: its name, what it shows, and what the tables hold. */
export type Place = [name: string, shown: unknown, counted: unknown];

const sum = (counts: Tally) => Object.values(counts).reduce((all, one) => all + one, 0);
/** A tally without noughts: whether a place leaves them out does not matter. */
const present = (counts: Tally) =>
  Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0));
const known = (values: readonly (string | null)[]) => tally(values.flatMap((value) => value ?? []));

export async function allPlaces(calls: Calls): Promise<Place[]> {
  const found = await recount(calls);
  const parts = [
    ofStats,
    ofLists,
    ofVerdicts,
    ofReview,
    ofSuppressions,
    ofBin,
    ofImports,
    ofClean,
    ofUk,
    ofGroups,
    ofBasis,
  ];
  const places: Place[] = [];
  for (const part of parts) places.push(...(await part(calls, found)));
  const { product, person } = calls;
  const differences = await product.database.asTenant(person.workspaceId, (tx) =>
    checkBooks(tx, person.workspaceId),
  );
  return [...places, ['the rollups', differences, []]];
}

async function ofStats({ read }: Calls, { contacts }: Recount): Promise<Place[]> {
  const stats = await read('/api/stats');
  const {
    active = 0,
    suppressed = 0,
    invalid = 0,
    duplicate = 0,
  } = tally(contacts.map(({ status }) => status));
  const domains = new Set(contacts.map(({ domain }) => domain).filter((domain) => domain !== '')).size;
  const last = (series: number[]) => series.at(-1);
  const { history } = stats;
  return [
    ['stats: valid', stats.validEmails, active],
    ['stats: suppressed', stats.suppressedEmails, suppressed],
    ['stats: invalid', stats.invalidEmails, invalid],
    ['stats: duplicate', stats.duplicateEmails, duplicate],
    ['stats: domains', stats.uniqueDomains, domains],
    ['stats: all', stats.totalEmails, contacts.length],
    ['today: valid', last(history.valid), active],
    ['today: suppressed', last(history.suppressed), suppressed],
    ['today: invalid', last(history.invalid), invalid],
    ['today: domains', last(history.domains), domains],
  ];
}

/** The kind of a contact that was never verified. What is stored as invalid has none. */
function kindByAddress({ verdict, state, local, domain }: CountedContact): string | null {
  if (verdict !== null || state === 1) return null;
  const { kind } = judge(`jane.smith@${domain}`);
  return kind === 'corporate' && local === 'info' ? 'role' : kind;
}
const judge = createJudge({ idna, strict: false });

type Filter = [query: Record<string, string>, has: (one: CountedContact) => boolean];

/** Each filter of the list, with what it means. */
function filtersFor({ contacts }: Recount): Filter[] {
  const each = (name: string, values: readonly string[], of: (one: CountedContact) => unknown) =>
    [...new Set(values)].map((value): Filter => [{ [name]: value }, (one) => of(one) === value]);
  const imports = contacts.flatMap(({ importId }) => (importId === null ? [] : String(importId)));
  const domains = contacts.flatMap(({ domain }) => (domain === '' ? [] : domain));
  return [
    [{}, () => true],
    ...each('status', ['active', 'suppressed', 'invalid', 'duplicate'], ({ status }) => status),
    ...each('uk', ['uk', 'likely_uk', 'global', 'not_uk'], (one) => one.ukClass),
    ...each('kind', ['role', 'corporate', 'free'], (one) => one.kind ?? kindByAddress(one)),
    ...each('verdict', ['valid', 'risky', 'invalid', 'unknown'], ({ verdict }) => verdict),
    ...each('importId', imports.slice(-3), (one) => String(one.importId)),
    ...each('domain', domains.slice(0, 3), ({ domain }) => domain),
    [{ reason: 'role' }, ({ reasons }) => reasons?.includes('role') ?? false],
    [{ uk: 'uk', status: 'active' }, (one) => one.ukClass === 'uk' && one.status === 'active'],
  ];
}

async function ofLists({ read, send }: Calls, found: Recount): Promise<Place[]> {
  const places: Place[] = [];
  for (const [filter, isMeant] of filtersFor(found)) {
    const meant = found.contacts.filter(isMeant).length;
    const query = new URLSearchParams(filter);
    const { emails, totalCount } = await read(`/api/emails?limit=200&${query}`);
    const importId = filter.importId ? { importId: Number(filter.importId) } : {};
    const { body } = await send('POST', '/api/emails/count', { filter: { ...filter, ...importId } });
    const name = `contacts by ${query}`;
    places.push(
      [`${name}: total`, totalCount, meant],
      [`${name}: rows`, emails.length, Math.min(meant, 200)],
    );
    places.push([`${name}: counted`, body.count, meant]);
    if (Object.keys(filter).length === 0 || 'status' in filter) {
      places.push([`${name}: export`, rowsIn(await read(`/api/emails/export?format=csv&${query}`)), meant]);
      places.push([`${name}: promised`, (await read(`/api/emails/export/check?${query}`)).contacts, meant]);
    }
  }
  return places;
}

const rowsIn = (csv: string): number => parse(csv.trim(), { header: true }).data.length;

/** The list of contacts by one filter, and what counts by it before something is done. */
async function ofFilter(
  { read, send }: Calls,
  filter: Record<string, number | string>,
  meant: number,
): Promise<Place[]> {
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(filter)) query.set(key, String(value));
  const { emails, totalCount } = await read(`/api/emails?limit=200&${query}`);
  const { body } = await send('POST', '/api/emails/count', { filter });
  return [
    [`contacts by ${query}: total`, totalCount, meant],
    [`contacts by ${query}: rows`, emails.length, Math.min(meant, 200)],
    [`contacts by ${query}: counted`, body.count, meant],
  ];
}

/** Lists, segments and tags: what their screens show of each, and who is on them. */
async function ofGroups(calls: Calls, { contacts }: Recount): Promise<Place[]> {
  const { read, send } = calls;
  const places: Place[] = [];
  for (const [kind, one] of [
    ['lists', 'list'],
    ['tags', 'tag'],
  ] as const)
    for (const { id, name, contactCount, isDynamic, segmentRules } of await read(`/api/${kind}`)) {
      const has = isDynamic ? segments[name]?.[1] : (contact: CountedContact) => contact[kind].includes(id);
      if (!has) throw new Error(`Nobody says whom ${name} means.`);
      const meant = contacts.filter(has);
      places.push(...(await ofFilter(calls, { [one]: id }, meant.length)));
      if (isDynamic) {
        const { body } = await send('POST', '/api/segments/preview', { segmentRules });
        const { isEstimate: _, ...statuses } = body.statuses;
        places.push([`segment ${name}`, body.total.count, meant.length]);
        places.push([
          `segment ${name}: statuses`,
          present(statuses),
          known(meant.map(({ status }) => status)),
        ]);
        places.push([`segment ${name}: all`, body.all, contacts.length]);
      } else {
        places.push([`${one} ${name}`, contactCount, meant.length]);
        places.push([`${one} ${name} alone`, (await read(`/api/${kind}/${id}`)).contactCount, meant.length]);
      }
    }
  return places;
}

async function ofBasis(calls: Calls, { contacts }: Recount): Promise<Place[]> {
  const { read, send } = calls;
  const settings = await read('/api/basis');
  const counts = known(contacts.map(({ basis }) => basis));
  const { body } = await send('POST', '/api/campaigns/audience', { include: [], exclude: [] });
  const mayBeMailed = contacts.filter(
    ({ status, basis }) => status === 'active' && settings.mailable.includes(basis),
  );
  const places: Place[] = [
    ['marketing bases', present(settings.contacts), counts],
    ['recipients of a campaign to everybody', body.recipients, mayBeMailed.length],
    ['recipients and who is left out', body.recipients + sum(body.leftOut), contacts.length],
  ];
  for (const basis of Object.keys(settings.contacts))
    places.push(...(await ofFilter(calls, { basis }, counts[basis] ?? 0)));
  return places;
}

async function ofUk({ read, send }: Calls, { contacts }: Recount): Promise<Place[]> {
  const view = await read('/api/emails/uk');
  const { emailValidation } = await read('/api/settings');
  const clean = (await send('POST', '/api/emails/clean?preview=true')).body;
  // Clean takes an address that strict rules refuse for invalid, whatever its domain.
  const fateOf = createDomainSorter(emailValidation, idna);
  const isRefused = ({ state, local, domain }: CountedContact) =>
    state === 0 && local.includes('..') && fateOf(domain) === 'nonUk';
  const refused = emailValidation.strictValidation ? contacts.filter(isRefused).length : 0;
  return [
    ['uk view', present(view.contacts), tally(contacts.map((one) => one.ukClass))],
    ['uk view: outside the rule', sum(view.leftOut), clean.nonUk + clean.letIn + refused],
  ];
}

async function ofVerdicts({ read }: Calls, { contacts, sharedMailboxes }: Recount): Promise<Place[]> {
  const summary = await read('/api/verifications/summary');
  const verified = contacts.filter(({ verdict }) => verdict !== null);
  return [
    ['verdicts: all contacts', summary.total, contacts.length],
    ['verdicts: verified', summary.contacts, verified.length],
    ['verdicts', present(summary.verdicts), known(verified.map(({ verdict }) => verdict))],
    ['verdicts: reasons', present(summary.reasons), tally(verified.flatMap(({ reasons }) => reasons ?? []))],
    ['verdicts: UK classes', present(summary.uk), known(verified.map((one) => one.verifiedUk))],
    ['verdicts: kinds', present(summary.kinds), known(verified.map(({ kind }) => kind))],
    ['verdicts: corrections', summary.suggestions, contacts.filter(({ pattern }) => pattern).length],
    ['verdicts: shared mailboxes', summary.sharedMailboxes, sharedMailboxes],
  ];
}

async function ofReview({ read }: Calls, { contacts, sharedMailboxes }: Recount): Promise<Place[]> {
  const patterns = known(contacts.map(({ pattern }) => pattern));
  const list = await read('/api/review/corrections?limit=100');
  const duplicates = await read('/api/review/duplicates?limit=50');
  const places: Place[] = [
    ['corrections: contacts', list.contacts, sum(patterns)],
    ['corrections: patterns', list.totalCount, Object.keys(patterns).length],
    ['duplicate people', duplicates.totalCount, sharedMailboxes],
    ['duplicate people: groups', duplicates.items.length, sharedMailboxes],
  ];
  for (const { from, to, contacts: shown } of list.items) {
    const query = new URLSearchParams({ from, to });
    const { totalCount, items } = await read(`/api/review/corrections/contacts?limit=100&${query}`);
    const counted = patterns[`${from} ${to}`];
    places.push([`${from} to ${to}`, shown, counted], [`${from} to ${to}: contacts`, totalCount, counted]);
    places.push([`${from} to ${to}: rows`, items.length, counted]);
  }
  for (const { mailbox, contacts: members, totalContacts } of duplicates.items)
    places.push([`contacts of ${mailbox}`, totalContacts, members.length]);
  return places;
}

async function ofSuppressions({ read }: Calls, found: Recount): Promise<Place[]> {
  const summary = await read('/api/suppressions/summary');
  const places: Place[] = [
    ['suppressed addresses by reason', present(summary.emails), found.emails],
    ['suppressed domains by reason', present(summary.domains), found.domains],
    ['hashes', present(summary.hashes), found.hashes],
  ];
  for (const [tab, entries, affected] of [
    ['emails', found.emails, found.ofAddress],
    ['domains', found.domains, found.ofDomain],
  ] as const) {
    const { items, totalCount } = await read(`/api/suppressions/${tab}?limit=200`);
    const shown = items.map((one: { email?: string; domain?: string; affectedCount: number }) => [
      one.email ?? one.domain,
      one.affectedCount,
    ]);
    places.push([`suppressed ${tab}`, totalCount, sum(entries)]);
    places.push([`contacts of suppressed ${tab}`, Object.fromEntries(shown), affected]);
    places.push([
      `export of ${tab}`,
      rowsIn(await read(`/api/suppressions/export?kind=${tab}`)),
      sum(entries),
    ]);
    for (const [reason, counted] of Object.entries(entries))
      places.push([
        `suppressed ${tab}: ${reason}`,
        (await read(`/api/suppressions/${tab}?reason=${reason}`)).totalCount,
        counted,
      ]);
  }
  return places;
}

async function ofBin({ read, seen }: Calls, { inBin }: Recount): Promise<Place[]> {
  const { items } = await read('/api/removals?limit=100');
  const places: Place[] = [];
  const kept: Tally = {};
  for (const { id, state, contacts, restored, reasons } of items) {
    if (reasons) places.push([`removal ${id}: reasons`, sum(reasons), contacts]);
    if (state === 'restored') {
      places.push([`removal ${id}: came back`, restored <= contacts, true]);
      continue;
    }
    // Some may be left in the bin after a restore, because their addresses exist again.
    const left = contacts - restored;
    kept[id] = left;
    places.push([`removal ${id}`, (await read(`/api/removals/${id}/contacts`)).totalCount, left]);
    if (seen.has(`removal ${id}: ${left}`)) continue;
    seen.add(`removal ${id}: ${left}`);
    places.push([`removal ${id}: receipt`, rowsIn(await read(`/api/removals/${id}/receipt`)), left]);
  }
  return [...places, ['the bin', kept, inBin]];
}

async function ofImports({ read, readInstallation, seen }: Calls): Promise<Place[]> {
  const { items, totalCount } = await read('/api/imports?limit=200');
  const places: Place[] = [['imports', items.length, Math.min(totalCount, 200)]];
  for (const { id, status, rows, results, hasReceipt } of items) {
    if (status !== 'completed') continue;
    places.push([`import ${id}: fates`, sum(results), rows]);
    if (!hasReceipt || seen.has(`import ${id}`)) continue;
    seen.add(`import ${id}`);
    const left = rowsIn(await read(`/api/imports/${id}/receipt`));
    places.push([`import ${id}: receipt`, left, rows - results.imported]);
  }
  const done = items.filter((one: { status: string }) => one.status === 'completed');
  const all = (of: (one: { rows: number; results: Tally }) => number | undefined): number =>
    done.map(of).reduce((one: number, other: number | undefined) => one + (other ?? 0), 0);
  const { items: runs } = await read('/api/verifications?limit=100');
  const verified = sum(runs.map(({ result }: { result: { contacts: number } }) => result.contacts));
  const { emailsProcessed, metrics } = await readInstallation();
  places.push(['emails processed', emailsProcessed, all(({ rows }) => rows) + verified]);
  for (const fate of ['imported', 'duplicates', 'invalid', 'suppressed', 'nonUk']) {
    const line = metrics.match(new RegExp(`^import_rows_total{fate="${fate}"} (\\d+)`, 'm'));
    places.push([`metrics: ${fate}`, Number(line?.[1] ?? 0), all(({ results }) => results[fate])]);
  }
  return places;
}

async function ofClean({ send }: Calls): Promise<Place[]> {
  const { body } = await send('POST', '/api/emails/clean?preview=true');
  const {
    expired: _,
    files: __,
    ...cleanup
  } = (await send('POST', '/api/maintenance/cleanup?preview=true')).body;
  return [
    ['clean: reasons', body.duplicates + body.invalid + body.nonUk, body.removed],
    [
      'clean: reasons, each with its domains',
      body.reasons.map((one: CleanReasonView) => one.contacts),
      [body.duplicates, body.invalid, body.nonUk, body.letIn],
    ],
    ['cleanup', cleanup, body],
  ];
}
