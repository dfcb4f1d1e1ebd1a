import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { bases } from '#features/contacts/contract.ts';
import { formOf, importCsv } from '#test/support/app.ts';
import {
  type Calls,
  contactsOf,
  type DoingOf,
  type Done,
  does,
  domain,
  domains,
  filter,
  groupsOf,
  oneOf,
  pick,
} from './calls.ts';
import { groupKinds, onGroups } from './group-work.ts';

/**
 * Whatever people do to a workspace, drawn at random, and done by the calls that a screen makes.
 */

const locals = ['ann', 'bob', 'c.at', 'cat', 'dot..s', 'info', 'jo+news'];
const anybody = fc
  .tuple(fc.constantFrom(...locals), fc.constantFrom(...domains))
  .map(([local, domain]) => `${local}@${domain}`);
/** Two people, each in three spellings. */
const twice = ['c.at@gmail.com', 'cat@gmail.com', 'cat@googlemail.com', 'ann+a@gmail.com', 'an.n@gmail.com'];
const address = fc.oneof(
  { weight: 3, arbitrary: anybody },
  { weight: 1, arbitrary: fc.constantFrom(...twice) },
);
const row = fc.oneof(
  { weight: 12, arbitrary: address },
  { weight: 1, arbitrary: fc.constantFrom('not an address', 'jane@', '', '"Cat" <cat@shop.uk>') },
);
const rows = fc.array(row, { minLength: 1, maxLength: 14 });
const policy = fc.constantFrom('suffix', 'likely', 'any_but_foreign_cctld');
const options = fc.record(
  {
    removeDuplicates: fc.boolean(),
    validateEmails: fc.boolean(),
    filterNonUk: fc.boolean(),
    checkSuppressions: fc.boolean(),
    ukPolicy: policy,
  },
  { requiredKeys: ['removeDuplicates', 'validateEmails', 'filterNonUk', 'checkSuppressions'] },
);
/** Whether the contacts of a file are put on a list, are tagged, and get a basis. */
const joins = fc.record({
  list: fc.boolean(),
  tag: fc.boolean(),
  basis: fc.option(fc.constantFrom(...bases), { nil: undefined }),
});
const reason = fc.constantFrom('manual', 'unsubscribed', 'bounced', 'complained');
/** A filter that does not mean everybody: the history would otherwise be over at once. */
const someFilter = filter.filter((one) => Object.keys(one).length > 0);

const kinds = [
  [8, fc.record({ ...does('import'), rows, options, first: fc.boolean(), joins })],
  [2, fc.record({ ...does('undo import'), pick })],
  [5, fc.record({ ...does('add'), address, checks: fc.boolean() })],
  [3, fc.record({ ...does('delete'), pick })],
  [2, fc.record({ ...does('delete many'), filter: someFilter })],
  [2, fc.record(does('clean'))],
  [1, fc.record(does('clean up'))],
  [5, fc.record({ ...does('restore'), pick })],
  [3, fc.record({ ...does('suppress'), address, reason })],
  [3, fc.record({ ...does('suppress contact'), pick })],
  [1, fc.record({ ...does('suppress many'), filter: someFilter })],
  [2, fc.record({ ...does('suppress domain'), domain })],
  [2, fc.record({ ...does('import list'), some: fc.array(address, { maxLength: 6 }), domain })],
  [1, fc.record({ ...does('import hashes'), some: fc.array(address, { maxLength: 4 }) })],
  [3, fc.record({ ...does('lift'), pick, list: fc.constantFrom('email', 'domain') })],
  [2, fc.record({ ...does('lift many'), reason })],
  [2, fc.record({ ...does('undo lifting'), pick })],
  [5, fc.record({ ...does('verify'), filter: fc.option(filter, { nil: undefined }) })],
  [3, fc.record({ ...does('correct'), pick })],
  [1, fc.record({ ...does('dismiss corrections'), pick })],
  [3, fc.record({ ...does('merge'), pick })],
  [1, fc.record({ ...does('dismiss duplicates'), pick })],
  [3, fc.record({ ...does('undo decision'), pick })],
  [2, fc.record({ ...does('set rules'), strict: fc.boolean(), policy })],
] as const;

const allKinds = [...kinds, ...groupKinds] as const;

export const anyWork = fc.oneof(...allKinds.map(([weight, arbitrary]) => ({ weight, arbitrary })));
export type Work = typeof anyWork extends fc.Arbitrary<infer T> ? T : never;

const onContacts = {
  import: async (calls, { rows: given, options: rules, first, joins: { list, tag, basis } }) => {
    const { product, person, send } = calls;
    const [into] = list ? await groupsOf(calls, 'lists') : [];
    const [marked] = tag ? await groupsOf(calls, 'tags') : [];
    const chosen = {
      ...rules,
      ...(into ? { listId: into.id } : {}),
      ...(marked ? { tagIds: [marked.id] } : {}),
      ...(basis ? { basis: { basis } } : {}),
    };
    const csv = `email\n${given.join('\n')}\n`;
    const answer = await importCsv(product.app, person.cookie, csv, { options: chosen, dryRun: first });
    if (!first || answer.statusCode !== 200) return answer.statusCode;
    const { status, body } = await send('POST', `/api/imports/${answer.json().id}/run`, { options: chosen });
    const { check, id, blank, ...promised } = answer.json();
    // A dry run promises what the import then does.
    const { id: _, blank: __, ...kept } = body;
    if (JSON.stringify(promised) !== JSON.stringify(kept)) throw new Error(`${csv}: the dry run was wrong`);
    return status;
  },
  'undo import': async ({ read, send }, { pick: at }) => {
    const { items } = await read('/api/imports?limit=100');
    const record = oneOf<{ id: number }>(
      items.filter((one: { canUndo: boolean }) => one.canUndo),
      at,
    );
    return record ? (await send('POST', `/api/imports/${record.id}/undo`)).status : null;
  },
  add: async ({ send }, { address: email, checks }) =>
    (await send('POST', '/api/emails', { email, checkSuppressions: checks })).status,
  delete: async (calls, { pick: at }) => {
    const contact = oneOf(await contactsOf(calls), at);
    return contact ? (await calls.send('DELETE', `/api/emails/${contact.id}`)).status : null;
  },
  'delete many': async ({ send }, { filter: chosen }) => {
    const { count } = (await send('POST', '/api/emails/count', { filter: chosen })).body;
    const { status, body } = await send('DELETE', '/api/emails/bulk', { filter: chosen });
    if (body.removed !== count) throw new Error(`${count} were counted and ${body.removed} removed`);
    return status;
  },
  clean: async ({ send }) => {
    const preview = (await send('POST', '/api/emails/clean?preview=true')).body;
    const { status, body } = await send('POST', '/api/emails/clean');
    const tally = (of: typeof body) => `${of.removed} ${of.duplicates} ${of.invalid} ${of.nonUk} ${of.letIn}`;
    if (tally(preview) !== tally(body))
      throw new Error(`${tally(preview)} was shown, ${tally(body)} was done`);
    return status;
  },
  'clean up': async ({ send }) => (await send('POST', '/api/maintenance/cleanup')).status,
  restore: async ({ read, send }, { pick: at }) => {
    const { items } = await read('/api/removals?limit=100');
    const kept = items.filter((one: { state: string }) => one.state === 'in-bin');
    const removal = oneOf<{ id: number }>(kept, at);
    return removal ? (await send('POST', `/api/removals/${removal.id}/restore`)).status : null;
  },
} satisfies Partial<DoingOf<Work>>;

async function importList({ product, person }: Calls, lines: string[], form: string): Promise<number> {
  const { payload, headers } = formOf([
    ['reason', 'unsubscribed'],
    ['form', form],
    ['file', `${lines.join('\n')}\n`, 'list.txt'],
  ]);
  const url = '/api/suppressions/import';
  const answer = await product.app.inject({
    method: 'POST',
    url,
    headers: { ...headers, cookie: person.cookie },
    payload,
  });
  return answer.statusCode;
}

const why = { reason: 'they asked' };

const onLists = {
  suppress: async ({ send }, { address: email, reason: of }) =>
    (await send('POST', '/api/suppressions/email/manual', { email, reason: of })).status,
  'suppress contact': async (calls, { pick: at }) => {
    const contact = oneOf(await contactsOf(calls), at);
    return contact
      ? (await calls.send('POST', '/api/suppressions/email', { emailId: contact.id })).status
      : null;
  },
  'suppress many': async ({ send }, { filter: chosen }) =>
    (await send('POST', '/api/suppressions/emails', { filter: chosen })).status,
  'suppress domain': async ({ send }, { domain: name }) =>
    (await send('POST', '/api/suppressions/domain', { domain: name })).status,
  'import list': (calls, { some, domain: name }) => importList(calls, [...some, `@${name}`], 'plain'),
  'import hashes': (calls, { some }) => {
    const hash = (text: string) => createHash('sha256').update(text).digest('hex');
    return some.length === 0 ? Promise.resolve(null) : importList(calls, some.map(hash), 'sha256');
  },
  lift: async ({ read, send, liftings }, { pick: at, list }) => {
    const { items } = await read(`/api/suppressions/${list}s?limit=100`);
    const entry = oneOf<{ id: number }>(items, at);
    if (!entry) return null;
    const { status, body } = await send('DELETE', `/api/suppressions/${list}/${entry.id}`, why);
    liftings.push(body.liftingId);
    return status;
  },
  'lift many': async ({ send, liftings }, { reason: of }) => {
    const { status, body } = await send('DELETE', '/api/suppressions/emails', {
      filter: { reason: of },
      ...why,
    });
    if (body.liftingId !== null) liftings.push(body.liftingId);
    return status;
  },
  'undo lifting': async ({ send, liftings }, { pick: at }) => {
    const id = oneOf(liftings, at);
    return id === undefined ? null : (await send('POST', `/api/suppressions/liftings/${id}/undo`)).status;
  },
} satisfies Partial<DoingOf<Work>>;

const inReview = {
  verify: async ({ send }, { filter: chosen }) =>
    (await send('POST', '/api/verifications', chosen ? { selection: { filter: chosen } } : {})).status,
  correct: async ({ read, send }, { pick: at }) => {
    const { items } = await read('/api/review/corrections');
    const pattern = oneOf<{ from: string; to: string; samples: { id: number }[] }>(items, at);
    if (!pattern) return null;
    const { from, to, samples } = pattern;
    const which = at % 2 === 0 ? { pattern: { from, to } } : { ids: samples.map(({ id }) => id) };
    return (await send('POST', '/api/review/corrections/accept', which)).status;
  },
  'dismiss corrections': async ({ read, send }, { pick: at }) => {
    const { items } = await read('/api/review/corrections');
    const pattern = oneOf<{ samples: { id: number }[] }>(items, at);
    const ids = pattern?.samples.map(({ id }) => id);
    return ids ? (await send('POST', '/api/review/corrections/dismiss', { ids })).status : null;
  },
  merge: async ({ read, send }, { pick: at }) => {
    const { items } = await read('/api/review/duplicates');
    const shared = oneOf<{ keepId: number; contacts: { id: number }[] }>(items, at);
    if (!shared) return null;
    const otherIds = shared.contacts.map(({ id }) => id).filter((id) => id !== shared.keepId);
    return (await send('POST', '/api/review/duplicates/merge', { keepId: shared.keepId, otherIds })).status;
  },
  'dismiss duplicates': async ({ read, send }, { pick: at }) => {
    const { items } = await read('/api/review/duplicates');
    const shared = oneOf<{ mailbox: string }>(items, at);
    if (!shared) return null;
    return (await send('POST', '/api/review/duplicates/dismiss', { mailbox: shared.mailbox })).status;
  },
  'undo decision': async ({ read, send }, { pick: at }) => {
    const { items } = await read('/api/review/history');
    const made = items.filter((one: { canUndo: boolean }) => one.canUndo);
    const decision = oneOf<{ kind: string; id: number }>(made, at);
    return decision ? (await send('POST', `/api/${decision.kind}s/${decision.id}/undo`)).status : null;
  },
  'set rules': async ({ send }, { strict, policy: ukPolicy }) => {
    const emailValidation = { strictValidation: strict, ukPolicy };
    return (await send('PATCH', '/api/settings', { emailValidation })).status;
  },
} satisfies Partial<DoingOf<Work>>;

const doing: DoingOf<Work> = { ...onContacts, ...onLists, ...inReview, ...onGroups };

/** Does a piece of work. Throws when a call failed in a way that no person could have caused. */
export async function carryOut(calls: Calls, work: Work): Promise<Done> {
  const run = doing[work.does] as (calls: Calls, work: Work) => Promise<Done>;
  const status = await run(calls, work);
  // 400: the address was none. 404, 409: what it was about is gone or was done already.
  if (status !== null && ![200, 201, 400, 404, 409].includes(status))
    throw new Error(`${JSON.stringify(work)} was answered ${status}`);
  return status;
}
