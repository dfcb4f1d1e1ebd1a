import { basisLabels } from '#features/basis/web/index.ts';
import { kindLabels, reasonLabels, ukClassLabels, verdictLabels } from '#features/contacts/web/index.ts';
import { formatShortDate } from '#platform/web/format.ts';

interface Group {
  id: number;
  name: string;
}

export interface Named {
  lists: readonly Group[] | undefined;
  tags: readonly Group[] | undefined;
}

type Words = (value: string, named: Named) => string;

const labelled =
  (labels: Readonly<Record<string, string>>): Words =>
  (value) =>
    labels[value] ?? value;

const inGroup =
  (groups: keyof Named): Words =>
  (value, named) =>
    named[groups]?.find(({ id }) => String(id) === value)?.name ?? `number ${value}`;

const day: Words = (value) => (Number.isNaN(Date.parse(value)) ? value : formatShortDate(value));

/** What each name of a filter is called, and how its values are. */
const known: Readonly<Record<string, { label: string; words?: Words }>> = {
  search: { label: 'address contains' },
  status: { label: 'status' },
  domain: { label: 'domain' },
  verdict: { label: 'verdict', words: labelled(verdictLabels) },
  reason: { label: 'reason', words: labelled(reasonLabels) },
  kind: { label: 'kind', words: labelled(kindLabels) },
  uk: { label: 'UK class', words: labelled(ukClassLabels) },
  riskFrom: { label: 'risk from' },
  riskTo: { label: 'risk up to' },
  source: { label: 'source' },
  importId: { label: 'import number' },
  addedFrom: { label: 'added from', words: day },
  addedTo: { label: 'added up to', words: day },
  list: { label: 'on', words: inGroup('lists') },
  tag: { label: 'tagged', words: inGroup('tags') },
  basis: { label: 'basis', words: labelled(basisLabels) },
};

/** A filter of the database as people say it: "UK class UK, added from 1 Mar 2026". */
export const filterInWords = (filter: Readonly<Record<string, unknown>>, named: Named): string =>
  Object.entries(filter)
    .map(([name, value]) => {
      const { label, words } = known[name] ?? { label: name };
      const values = [value].flat().map((one) => (words ? words(String(one), named) : String(one)));
      return `${label} ${values.join(' or ')}`;
    })
    .join(', ');
