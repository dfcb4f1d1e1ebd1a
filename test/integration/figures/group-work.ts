import fc from 'fast-check';
import { bases } from '#features/contacts/contract.ts';
import { type Calls, contactsOf, type DoingOf, does, filter, groupsOf, oneOf, pick } from './calls.ts';
import type { CountedContact } from './recount.ts';

/** What people do with lists, tags, segments and the marketing basis. */

type Rules = [rules: object, has: (one: CountedContact) => boolean];

const rule = (field: string, operator: string, value?: string | string[]) => ({
  conditions: [{ field, operator, ...(value === undefined ? {} : { value }) }],
});

/** Whom segments may mean, each beside a plain reading. */
export const segments: Record<string, Rules> = {
  tagged: [rule('tags', 'is_not_empty'), ({ tags }) => tags.length > 0],
  'on no list': [rule('list', 'is_empty'), ({ lists }) => lists.length === 0],
  'may be asked': [
    rule('marketingBasis', 'one_of', ['consent', 'unknown']),
    ({ basis }) => basis === 'consent' || basis === 'unknown',
  ],
  'active at acme': [
    {
      match: 'all',
      ...{
        conditions: [
          ...rule('status', 'equals', 'active').conditions,
          ...rule('domain', 'contains', 'acme').conditions,
        ],
      },
    },
    ({ status, domain }) => status === 'active' && domain.includes('acme'),
  ],
  'neither tagged nor refusing': [
    {
      match: 'none',
      conditions: [
        ...rule('tags', 'is_not_empty').conditions,
        ...rule('marketingBasis', 'equals', 'none').conditions,
      ],
    },
    ({ tags, basis }) => tags.length === 0 && basis !== 'none',
  ],
};

const kind = fc.constantFrom('lists', 'tags');
const basis = fc.constantFrom(...bases);

export const groupKinds = [
  [4, fc.record({ ...does('make group'), kind, name: fc.constantFrom('Fair', 'News', 'Shop', 'Old') })],
  [2, fc.record({ ...does('make segment'), means: fc.constantFrom(...Object.keys(segments)) })],
  [8, fc.record({ ...does('put in group'), kind, pick, filter: fc.option(filter, { nil: undefined }) })],
  [4, fc.record({ ...does('take out of group'), kind, pick, filter: fc.option(filter, { nil: undefined }) })],
  [3, fc.record({ ...does('undo membership'), pick })],
  [1, fc.record({ ...does('delete group'), kind, pick })],
  [2, fc.record({ ...does('restore group'), pick })],
  [3, fc.record({ ...does('say basis'), pick, basis })],
  [5, fc.record({ ...does('say basis of many'), basis, filter, onlyUnknown: fc.boolean() })],
  [3, fc.record({ ...does('undo basis'), pick })],
  [1, fc.record({ ...does('choose mailable'), mailable: fc.subarray([...bases]) })],
] as const;

type GroupWork = (typeof groupKinds)[number][1] extends fc.Arbitrary<infer T> ? T : never;

async function change(
  calls: Calls,
  method: 'POST' | 'DELETE',
  { kind, pick: at, filter: chosen }: { kind: 'lists' | 'tags'; pick: number; filter?: object | undefined },
): Promise<number | null> {
  const group = oneOf(await groupsOf(calls, kind), at);
  if (!group) return null;
  const ids = (await contactsOf(calls)).map(({ id }) => id).filter((id) => id % 3 === at % 3);
  if (!chosen && ids.length === 0) return null;
  const whom = chosen ? { filter: chosen } : { ids };
  const { status, body } = await calls.send(method, `/api/${kind}/${group.id}/contacts`, whom);
  if (body.changeId) calls.memberships.push(body.changeId);
  return status;
}

export const onGroups = {
  'make group': async ({ send }, { kind, name }) => (await send('POST', `/api/${kind}`, { name })).status,
  'make segment': async ({ send }, { means }) => {
    const [segmentRules] = segments[means] ?? [];
    return (await send('POST', '/api/lists', { name: means, isDynamic: true, segmentRules })).status;
  },
  'put in group': (calls, work) => change(calls, 'POST', work),
  'take out of group': (calls, work) => change(calls, 'DELETE', work),
  'undo membership': async ({ send, memberships }, { pick: at }) => {
    const id = oneOf(memberships, at);
    return id === undefined ? null : (await send('POST', `/api/membership-changes/${id}/undo`)).status;
  },
  'delete group': async (calls, { kind, pick: at }) => {
    const group = oneOf<{ id: number }>(await calls.read(`/api/${kind}`), at);
    if (!group) return null;
    calls.deleted.push(`/api/${kind}/${group.id}`);
    return (await calls.send('DELETE', `/api/${kind}/${group.id}`)).status;
  },
  'restore group': async ({ send, deleted }, { pick: at }) => {
    const group = oneOf(deleted, at);
    return group === undefined ? null : (await send('POST', `${group}/restore`)).status;
  },
  'say basis': async (calls, { pick: at, basis }) => {
    const contact = oneOf(await contactsOf(calls), at);
    return contact ? (await calls.send('PUT', `/api/emails/${contact.id}/basis`, { basis })).status : null;
  },
  'say basis of many': async ({ send, bases }, { basis, filter: chosen, onlyUnknown }) => {
    const said = { basis, filter: chosen, onlyUnknown };
    const { status, body } = await send('POST', '/api/basis-changes', said);
    if (body.changeId) bases.push(body.changeId);
    return status;
  },
  'undo basis': async ({ send, bases }, { pick: at }) => {
    const id = oneOf(bases, at);
    return id === undefined ? null : (await send('POST', `/api/basis-changes/${id}/undo`)).status;
  },
  'choose mailable': async ({ send }, { mailable }) =>
    (await send('PATCH', '/api/basis', { mailable })).status,
} satisfies DoingOf<GroupWork>;
