import { describe, expect, it } from 'vitest';
import {
  choosePlan,
  chooseWhole,
  type Figures,
  farthestRanked,
  farthestTested,
  fewBlocks,
  fewContacts,
  fewInDomains,
  fewListed,
  fewSuppressed,
  fromEnd,
  hasTrigram,
  type Leads,
  type Measure,
  nearOffset,
  type PageRequest,
  type Plan,
  readLimits,
  type WholePlan,
} from './plan.ts';

const everybody: Leads = {
  term: null,
  domain: null,
  status: null,
  inDomains: false,
  hasLists: false,
  isNamed: false,
  isNarrowed: false,
  isIndexed: false,
  isUnread: false,
};
const first: PageRequest = { sort: 'createdAt', order: 'desc', offset: 0, limit: 20 };
const byAddress: PageRequest = { sort: 'address', order: 'asc', offset: 0, limit: 20 };
const million = 1_000_000;
/** More than are read for a page. */
const many = 15 * million;
const ids = (count: number) => ({ first: 1, last: count });
const rare = { blocks: 3000, hits: 29 };
const common = { blocks: 3000, hits: 30 };

type By = 'id' | 'address' | 'list' | 'domain';
const exactly = (total: number) => ({ total, isEstimate: false });
const about = (total: number) => ({ total, isEstimate: true });
const walk = (by: By, total: ReturnType<typeof exactly>, isFromEnd = false): Plan => ({
  kind: `walk by ${by}`,
  ...total,
  isFromEnd,
});
const gathered: Plan = { kind: 'gather', total: null };
const measure = (what: Measure['what']): Measure => ({ kind: 'measure', what });

const byRisk: PageRequest = { sort: 'risk', order: 'desc', offset: 0, limit: 20 };
const ranked = (total: ReturnType<typeof exactly>): Plan => ({ kind: 'walk by rank', ...total });
const tooFar: Plan = { kind: 'too far' };

type Case = [string, Partial<Leads>, Partial<PageRequest>, Partial<Figures>, Plan | Measure];

/** The first page, unless the case says otherwise, is the newest of a million contacts. */
const cases: Case[] = [
  ['nobody', {}, {}, { candidates: 0 }, { kind: 'nothing', total: 0 }],
  ['nobody, whatever is searched for', { term: 'abc' }, {}, { candidates: 0 }, { kind: 'nothing', total: 0 }],
  ['everybody', {}, {}, {}, walk('id', exactly(million))],
  ['everybody by address', {}, byAddress, {}, walk('address', exactly(million))],
  ['everybody by risk', {}, byRisk, {}, ranked(exactly(million))],
  ['everybody by verdict', {}, { ...byRisk, sort: 'verdict' }, {}, ranked(exactly(million))],
  ['everybody by risk, far', {}, { ...byRisk, offset: 900_000 }, {}, ranked(exactly(million))],
  [
    'a verdict by risk, far',
    { hasLists: true },
    { ...byRisk, offset: 900_000 },
    {},
    ranked(exactly(million)),
  ],
  ['a status by risk', { status: 'active' }, byRisk, {}, ranked(exactly(million))],
  [
    'a status by risk, as far as goes',
    { status: 'active' },
    { ...byRisk, offset: farthestRanked },
    {},
    ranked(exactly(million)),
  ],
  ['a status by risk, farther', { status: 'active' }, { ...byRisk, offset: farthestRanked + 1 }, {}, tooFar],
  [
    'few invalid by risk',
    { status: 'invalid' },
    byRisk,
    { candidates: fewContacts, reach: 2 * fewContacts },
    { kind: 'gather', total: fewContacts },
  ],
  ['the invalid by risk', { status: 'invalid' }, byRisk, {}, measure('ahead')],
  ['the copies by risk', { status: 'duplicate' }, byRisk, {}, measure('ahead')],
  [
    'the invalid by risk, who lie in front',
    { status: 'invalid' },
    byRisk,
    { ahead: readLimits.gathered, reach: many },
    ranked(exactly(million)),
  ],
  [
    'the invalid by risk, who lie behind others',
    { status: 'invalid' },
    byRisk,
    { ahead: readLimits.gathered + 1 },
    { kind: 'gather', total: million },
  ],
  [
    'more invalid than anybody would read, behind others',
    { status: 'invalid' },
    byRisk,
    { ahead: readLimits.gathered + 1, reach: many },
    tooFar,
  ],
  [
    'the invalid by risk, farther than goes by walking',
    { status: 'invalid' },
    { ...byRisk, offset: farthestRanked + 1 },
    {},
    { kind: 'gather', total: million },
  ],
  [
    'too many invalid by risk, farther than goes by walking',
    { status: 'invalid' },
    { ...byRisk, offset: farthestRanked + 1 },
    { reach: many },
    tooFar,
  ],
  [
    'few active in some large domains by risk',
    { inDomains: true, status: 'active' },
    byRisk,
    { candidates: 9, reach: many },
    ranked(exactly(9)),
  ],
  [
    'a small domain by risk',
    { domain: 'a.uk' },
    byRisk,
    { candidates: fewContacts },
    { kind: 'gather', total: fewContacts },
  ],
  [
    'a large domain by risk',
    { domain: 'a.uk' },
    byRisk,
    { candidates: fewContacts + 1 },
    ranked(exactly(fewContacts + 1)),
  ],
  ['a source by risk, of many', { isNarrowed: true }, byRisk, { range: ids(million) }, measure('sampled')],
  [
    'a source by risk, that many have',
    { isNarrowed: true },
    byRisk,
    { range: ids(million), sampled: million / 2 },
    ranked(about(million / 2)),
  ],
  [
    'a source by risk, that few have',
    { isNarrowed: true },
    byRisk,
    { range: ids(million), sampled: fewContacts },
    gathered,
  ],
  [
    'a source by risk, far',
    { isNarrowed: true },
    { ...byRisk, offset: farthestRanked + 1 },
    { range: ids(million), sampled: million / 2 },
    tooFar,
  ],
  ['a common term by risk', { term: 'abc' }, byRisk, { text: common }, { kind: 'common by rank' }],
  [
    'a common term by risk, far',
    { term: 'abc' },
    { ...byRisk, offset: farthestRanked + 1 },
    { text: common },
    tooFar,
  ],
  [
    'a rare term by risk',
    { term: 'abc' },
    byRisk,
    { text: rare, blocks: { count: fewBlocks } },
    { kind: 'index of few' },
  ],
  [
    'a term of some by risk',
    { term: 'abc' },
    byRisk,
    { text: rare, blocks: { count: fewBlocks + 1 } },
    { kind: 'index by address' },
  ],
  [
    'the middle of very many',
    {},
    { offset: 5 * million },
    { candidates: many, reach: many },
    walk('id', exactly(many)),
  ],
  [
    'a status among very many, as far as goes',
    { status: 'active' },
    { offset: farthestTested },
    { candidates: many, reach: many },
    walk('id', exactly(many)),
  ],
  [
    'a status among very many, farther',
    { status: 'active' },
    { offset: farthestTested + 1 },
    { candidates: many, reach: many },
    tooFar,
  ],
  [
    'a status among very many, near the other end',
    { status: 'active' },
    { offset: many - farthestTested },
    { candidates: many, reach: many },
    walk('id', exactly(many), true),
  ],
  [
    'a status among very many by address, where sums lead',
    { status: 'active' },
    { ...byAddress, offset: 5 * million },
    { candidates: many, reach: many },
    walk('address', exactly(many)),
  ],
  [
    'a large domain, far',
    { domain: 'a.uk' },
    { ...byAddress, offset: farthestTested + 1 },
    { reach: many },
    tooFar,
  ],
  [
    'few active in large domains',
    { inDomains: true, status: 'active' },
    {},
    { candidates: 9, reach: many },
    walk('id', exactly(9)),
  ],
  ['a page past the end', {}, { offset: million }, {}, { kind: 'nothing', total: million }],
  ['the middle', {}, { offset: million / 2 }, {}, walk('id', exactly(million))],
  ['past the middle', {}, { offset: million / 2 + 1 }, {}, walk('id', exactly(million), true)],
  ['a status', { status: 'invalid' }, {}, { candidates: 3 }, walk('id', exactly(3))],
  [
    'few suppressed',
    { status: 'suppressed' },
    {},
    { candidates: fewSuppressed },
    { kind: 'gather', total: fewSuppressed },
  ],
  [
    'many suppressed',
    { status: 'suppressed' },
    {},
    { candidates: fewSuppressed + 1 },
    walk('id', exactly(fewSuppressed + 1)),
  ],
  ['a small domain', { domain: 'a.uk' }, {}, { candidates: 9 }, { kind: 'gather', total: 9 }],
  [
    'a small domain, active',
    { domain: 'a.uk', status: 'active' },
    {},
    { candidates: fewContacts },
    { kind: 'gather', total: fewContacts },
  ],
  ['a large domain', { domain: 'a.uk' }, {}, {}, walk('domain', exactly(million))],
  ['a large domain by address', { domain: 'a.uk' }, byAddress, {}, walk('address', exactly(million))],
  [
    'few in some domains',
    { inDomains: true },
    {},
    { candidates: fewInDomains },
    { kind: 'gather', total: fewInDomains },
  ],
  [
    'few active in some domains, by address',
    { inDomains: true, status: 'active' },
    byAddress,
    { candidates: fewInDomains },
    { kind: 'gather', total: fewInDomains },
  ],
  ['many in some domains', { inDomains: true }, {}, {}, walk('id', exactly(million))],
  ['many in some domains by address', { inDomains: true }, byAddress, {}, walk('address', exactly(million))],
  [
    'many in some domains, past the middle',
    { inDomains: true },
    { offset: million - 5 },
    {},
    walk('id', exactly(million), true),
  ],
  ['in some domains and more', { inDomains: true, isNarrowed: true }, {}, {}, measure('sampled')],
  ['lists', { hasLists: true }, {}, { candidates: 3 }, walk('list', exactly(3))],
  [
    'short lists by address',
    { hasLists: true },
    byAddress,
    { candidates: fewListed },
    { kind: 'gather', total: fewListed },
  ],
  [
    'long lists by address',
    { hasLists: true },
    byAddress,
    { candidates: fewListed + 1 },
    walk('address', exactly(fewListed + 1)),
  ],
  [
    'long lists by address, far on',
    { hasLists: true },
    { ...byAddress, offset: nearOffset + 1 },
    {},
    { kind: 'gather', total: million },
  ],
  [
    'lists of very many by address, far on',
    { hasLists: true },
    { ...byAddress, offset: nearOffset + 1 },
    { candidates: many, reach: many },
    tooFar,
  ],
  [
    'long lists by address, near the other end',
    { hasLists: true },
    { ...byAddress, offset: million - 30 },
    {},
    walk('address', exactly(million), true),
  ],

  [
    'lists with a status, short',
    { hasLists: true, status: 'active' },
    {},
    { candidates: fewListed },
    gathered,
  ],
  ['lists with a status', { hasLists: true, status: 'active' }, {}, {}, measure('sampled')],
  [
    'lists with a status, few of both',
    { hasLists: true, status: 'active' },
    {},
    { sampled: fewListed },
    gathered,
  ],
  [
    'lists with a status, many of both',
    { hasLists: true, status: 'active' },
    {},
    { sampled: fewListed + 1 },
    walk('list', about(fewListed + 1)),
  ],
  [
    'lists with a domain, many',
    { hasLists: true, domain: 'a.uk' },
    {},
    { sampled: million },
    walk('domain', about(million)),
  ],
  ['lists with the suppressed', { hasLists: true, status: 'suppressed' }, {}, {}, gathered],
  [
    'lists with a status by address, far on',
    { hasLists: true, status: 'active' },
    { ...byAddress, offset: nearOffset + 1 },
    {},
    gathered,
  ],

  [
    'a condition no rollup knows, few contacts',
    { isNarrowed: true },
    {},
    { candidates: fewContacts },
    gathered,
  ],
  ['one among few ids', { isNarrowed: true }, {}, { range: ids(fewContacts) }, gathered],
  ['one among no ids', { isNarrowed: true }, {}, { range: { first: 1, last: 0 } }, gathered],
  ['one among many', { isNarrowed: true }, {}, { range: ids(million) }, measure('sampled')],
  ['one that few fulfil', { isNarrowed: true }, {}, { range: ids(million), sampled: fewContacts }, gathered],
  [
    'one that many fulfil',
    { isNarrowed: true },
    {},
    { range: ids(million), sampled: fewContacts + 1 },
    walk('id', about(fewContacts + 1)),
  ],
  [
    'one that many suppressed fulfil',
    { isNarrowed: true, status: 'suppressed' },
    {},
    { range: ids(million), sampled: million },
    walk('id', about(million)),
  ],
  [
    'one that many of a list fulfil',
    { isNarrowed: true, hasLists: true },
    {},
    { range: ids(million), sampled: million },
    walk('list', about(million)),
  ],
  [
    'one that many of a domain fulfil',
    { isNarrowed: true, domain: 'a.uk' },
    {},
    { range: ids(million), sampled: million },
    walk('domain', about(million)),
  ],
  [
    'one by address',
    { isNarrowed: true },
    byAddress,
    { range: ids(million), sampled: million },
    walk('address', about(million)),
  ],
  [
    'one by address, far on',
    { isNarrowed: true },
    { ...byAddress, offset: nearOffset + 1 },
    { range: ids(million) },
    gathered,
  ],
  [
    'one that few of very many fulfil',
    { isNarrowed: true },
    {},
    { range: ids(many), reach: many, sampled: 0 },
    walk('id', about(0)),
  ],
  [
    'one that few of very many fulfil, by risk',
    { isNarrowed: true },
    byRisk,
    { range: ids(many), reach: many, sampled: 0 },
    ranked(about(0)),
  ],
  [
    'one that few of very many fulfil, the second page',
    { isNarrowed: true },
    { offset: 20 },
    { range: ids(many), candidates: many, reach: many, sampled: 100 },
    tooFar,
  ],
  [
    'one of very many by address, far on',
    { isNarrowed: true },
    { ...byAddress, offset: nearOffset + 1 },
    { range: ids(many), candidates: many, reach: many, sampled: many },
    tooFar,
  ],
  [
    'one of very many, far on',
    { isNarrowed: true },
    { offset: farthestTested + 1 },
    { range: ids(many), candidates: many, reach: many, sampled: many },
    tooFar,
  ],
  [
    'a source that few of very many have',
    { isNarrowed: true, isIndexed: true },
    {},
    { range: ids(many), reach: many, sampled: 0 },
    measure('indexed'),
  ],
  [
    'a source that few have by its index',
    { isNarrowed: true, isIndexed: true },
    {},
    { range: ids(many), reach: many, sampled: 0, indexed: readLimits.gathered },
    gathered,
  ],
  [
    'a source that many have by its index, and few with something else',
    { isNarrowed: true, isIndexed: true },
    {},
    { range: ids(many), reach: many, sampled: 0, indexed: readLimits.gathered + 1 },
    walk('id', about(0)),
  ],
  [
    'domains that nobody has read, and few of very many match',
    { isNarrowed: true, isUnread: true },
    {},
    { range: ids(many), candidates: many, reach: many, sampled: 100 },
    measure('indexed'),
  ],
  [
    'domains that nobody has read, and enough match to be near',
    { isNarrowed: true, isUnread: true },
    {},
    { range: ids(many), candidates: many, reach: many, sampled: 30_000 },
    measure('near'),
  ],
  [
    'domains that nobody has read, and enough match, by address',
    { isNarrowed: true, isUnread: true },
    byAddress,
    { range: ids(many), candidates: many, reach: many, sampled: 30_000 },
    measure('indexed'),
  ],
  [
    'domains that nobody has read, and enough match, not so near',
    { isNarrowed: true, isUnread: true },
    { offset: 40 },
    { range: ids(many), candidates: many, reach: many, sampled: 30_000 },
    measure('indexed'),
  ],
  [
    'domains that nobody has read, where the page was found near',
    { isNarrowed: true, isUnread: true },
    {},
    { range: ids(many), candidates: many, reach: many, sampled: 30_000, near: { isFound: true } },
    { kind: 'near', total: 30_000 },
  ],
  [
    'domains that nobody has read, where the page was not near',
    { isNarrowed: true, isUnread: true },
    {},
    { range: ids(many), candidates: many, reach: many, sampled: 30_000, near: { isFound: false } },
    measure('indexed'),
  ],
  [
    'a source beside domains that nobody has read',
    { isNarrowed: true, isUnread: true, isIndexed: true },
    {},
    { range: ids(many), candidates: many, reach: many, sampled: 30_000 },
    measure('indexed'),
  ],
  [
    'more suppressed in lists than anybody would read',
    { hasLists: true, status: 'suppressed' },
    {},
    { candidates: many, reach: many },
    measure('sampled'),
  ],

  ['named contacts', { isNamed: true }, {}, { candidates: 100_000 }, gathered],
  ['named contacts, searched among', { isNamed: true, term: 'abc' }, {}, { candidates: 9 }, gathered],

  ['a term, few contacts', { term: 'abc' }, {}, { candidates: fewContacts }, gathered],
  ['a term', { term: 'abc' }, {}, {}, measure('text')],
  ['a common term', { term: 'abc' }, {}, { text: common }, { kind: 'blocks' }],
  ['a common term by address', { term: 'abc' }, byAddress, { text: common }, { kind: 'common by address' }],
  ['a common term, far', { term: 'abc' }, { offset: farthestTested + 1 }, { text: common }, tooFar],
  [
    'a term, few candidates among very many',
    { term: 'abc' },
    {},
    { candidates: 9, reach: many },
    measure('text'),
  ],
  ['a term the index does not know', { term: 'ab' }, {}, { text: rare }, { kind: 'blocks' }],
  ['a rare term', { term: 'abc' }, {}, { text: rare }, measure('blocks')],
  [
    'a rare term in few blocks',
    { term: 'abc' },
    {},
    { text: rare, blocks: { count: fewBlocks } },
    { kind: 'index of few' },
  ],
  [
    'a rare term in many blocks',
    { term: 'abc' },
    {},
    { text: rare, blocks: { count: fewBlocks + 1 } },
    { kind: 'index' },
  ],
  [
    'a rare term in many blocks by address',
    { term: 'abc' },
    byAddress,
    { text: rare, blocks: { count: fewBlocks + 1 } },
    { kind: 'index by address' },
  ],
  ['a rare term, suppressed', { term: 'abc', status: 'suppressed' }, {}, { text: rare }, measure('blocks')],
  [
    'a rare term and a source',
    { term: 'abc', isNarrowed: true },
    {},
    { text: rare, range: ids(9) },
    measure('blocks'),
  ],
];

describe('the plan of a page', () => {
  it.each(cases)('of %s', (_name, leads, page, figures, plan) => {
    const known = { candidates: million, range: null, reach: million, ...figures };
    expect(choosePlan({ ...everybody, ...leads }, { ...first, ...page }, known)).toEqual(plan);
  });

  it('needs no more than two figures', () => {
    for (const [, leads, page, figures] of cases) {
      let known: Figures = { candidates: million, range: null, reach: million, ...figures };
      const measured: string[] = [];
      for (;;) {
        const next = choosePlan({ ...everybody, ...leads }, { ...first, ...page }, known);
        if (next.kind !== 'measure') break;
        measured.push(next.what);
        known = { ...known, sampled: million, text: rare, blocks: { count: 1 }, indexed: 9, ahead: 9 };
      }
      expect(measured.length).toBeLessThanOrEqual(2);
    }
  });
});

describe('the plan of all contacts', () => {
  it.each<[string, Partial<Leads>, Partial<Figures>, WholePlan | Measure]>([
    ['everybody', {}, {}, { kind: 'rollup', total: million }],
    ['lists', { hasLists: true }, {}, { kind: 'rollup', total: million }],
    ['some domains', { inDomains: true }, {}, { kind: 'rollup', total: million }],
    ['some domains and more', { inDomains: true, isNarrowed: true }, {}, { kind: 'read' }],
    ['lists with a domain', { hasLists: true, domain: 'a.uk' }, {}, { kind: 'read' }],
    ['named contacts', { isNamed: true }, { candidates: 9 }, { kind: 'read' }],
    ['a condition no rollup knows', { isNarrowed: true }, {}, { kind: 'read' }],
    ['a term, few contacts', { term: 'abc' }, { candidates: fewContacts }, { kind: 'read' }],
    ['a term', { term: 'abc' }, {}, { kind: 'measure', what: 'text' }],
    ['a term the index does not know', { term: 'ab' }, {}, { kind: 'read' }],
    ['a common term', { term: 'abc' }, { text: common }, { kind: 'read' }],
    ['a rare term', { term: 'abc', isNarrowed: true }, { text: rare }, { kind: 'trigrams' }],
  ])('of %s', (_name, leads, figures, plan) => {
    expect(
      chooseWhole(
        { ...everybody, ...leads },
        { candidates: million, range: null, reach: million, ...figures },
      ),
    ).toEqual(plan);
  });
});

it.each([
  [
    { offset: 90, limit: 20 },
    { offset: 0, limit: 10, order: 'desc' },
  ],
  [
    { offset: 60, limit: 20 },
    { offset: 20, limit: 20, order: 'desc' },
  ],
  [
    { offset: 60, limit: 20, order: 'desc' },
    { offset: 20, limit: 20, order: 'asc' },
  ],
] as const)('the page %j of a hundred, from the other end', (page, other) => {
  expect(fromEnd({ sort: 'createdAt', order: 'asc', ...page }, 100)).toEqual({ sort: 'createdAt', ...other });
});

it.each([
  ['abc', true],
  ['ab', false],
  ['a.b', true],
  ['@a', true],
  ['é@', true],
  ['!!!', false],
  ['', false],
])('whether %j has a trigram: %s', (term, has) => {
  expect(hasTrigram(term)).toBe(has);
});
