import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { listSources } from '#features/audience/contract.ts';
import { basisLabels } from '#features/basis/web/index.ts';
import { type Basis, contactStatuses } from '#features/contacts/contract.ts';
import {
  kindLabels,
  reasonLabels,
  riskRanges,
  ukClassLabels,
  verdictLabels,
} from '#features/contacts/web/index.ts';
import { listImports } from '#features/imports/contract.ts';
import { getLists } from '#features/lists/contract.ts';
import { getTags } from '#features/tags/contract.ts';
import { queryOptionsFor } from '#platform/web/api.ts';
import { FilterChips } from '#platform/web/components/filter-chips.tsx';
import type { FilterField } from '#platform/web/components/filter-field.ts';
import { capitalise, formatNumber, formatShortDate } from '#platform/web/format.ts';
import type { EmailDatabaseState } from './email-database-search.ts';
import type { ContactList } from './use-contact-list.ts';

const optionsOf = (labels: Record<string, string>) =>
  Object.entries(labels).map(([value, label]) => ({ value, label }));

const fixedFields: FilterField[] = [
  {
    key: 'status',
    label: 'Status',
    options: contactStatuses.map((value) => ({ value, label: capitalise(value) })),
  },
  { key: 'domain', label: 'Domain', text: 'example.co.uk' },
  { key: 'verdict', label: 'Verdict', options: optionsOf(verdictLabels) },
  { key: 'reason', label: 'Reason', options: optionsOf(reasonLabels) },
  { key: 'kind', label: 'Kind', options: optionsOf(kindLabels) },
  { key: 'uk', label: 'UK class', options: optionsOf(ukClassLabels) },
  { key: 'risk', label: 'Risk', options: riskRanges },
];

/** No filter at all. */
export const unfiltered = {
  ...{ search: '', status: undefined, domain: undefined, verdict: undefined, reason: undefined },
  ...{ kind: undefined, uk: undefined, riskFrom: undefined, riskTo: undefined, page: 1 },
  ...{ source: undefined, import: undefined, from: undefined, to: undefined },
  ...{ list: undefined, tag: undefined, basis: undefined },
};

/** The risk in the address, as one chip. */
const riskIn = ({ riskFrom, riskTo }: EmailDatabaseState): string[] =>
  riskFrom === undefined && riskTo === undefined ? [] : [`${riskFrom ?? 0}-${riskTo ?? 100}`];

/** The days in the address, as one chip: "2026-03-01/2026-03-31". Either may be absent. */
const daysIn = ({ from, to }: EmailDatabaseState): string[] =>
  from === undefined && to === undefined ? [] : [`${from ?? ''}/${to ?? ''}`];

/** A choice among the filters, as a change of the address. */
function filterChange(key: string, values: readonly string[]): Partial<EmailDatabaseState> {
  const value = values[0];
  if (key === 'list' || key === 'tag')
    return { [key]: values.length === 0 ? undefined : values.map(Number), page: 1 };
  if (key === 'basis') return { basis: values.length === 0 ? undefined : ([...values] as Basis[]), page: 1 };
  if (key === 'added') {
    const [from, to] = value?.split('/') ?? [];
    return { from: from || undefined, to: to || undefined, page: 1 };
  }
  if (key === 'import') return { import: value === undefined ? undefined : Number(value), page: 1 };
  if (key !== 'risk') return { [key]: value, page: 1 };
  const [riskFrom, riskTo] = value?.split('-').map(Number) ?? [];
  return { riskFrom, riskTo, page: 1 };
}

const only = (value: string | number | undefined): string[] => (value === undefined ? [] : [String(value)]);

/** Lists or tags as choices, with those in the address that are not there any more. */
function groupOptions(
  groups: readonly { id: number; name: string }[] | undefined,
  chosen: readonly number[] = [],
) {
  const options = (groups ?? []).map(({ id, name }) => ({ value: String(id), label: name }));
  const gone = groups ? chosen.filter((id) => !groups.some((group) => group.id === id)) : [];
  return [...options, ...gone.map((id) => ({ value: String(id), label: `number ${id}, deleted` }))];
}

/**
 * The latest imported files, newest first, as choices, plus the one in the address if it is older.
 */
function importOptions(
  items: readonly { id: number; fileName: string; createdAt: string; status: string; results: unknown }[],
  chosen: number | undefined,
) {
  const options = items
    .filter(({ status }) => status === 'completed')
    .map(({ id, fileName, createdAt }) => ({
      value: String(id),
      label: `${fileName}, ${formatShortDate(createdAt)}`,
    }));
  return chosen === undefined || options.some(({ value }) => value === String(chosen))
    ? options
    : [...options, { value: String(chosen), label: `number ${formatNumber(chosen)}` }];
}

/** The chips above the contacts. Their choices are read once, and again after an import. */
export function ContactFilters({
  state,
  change,
  lead,
  trail,
}: Pick<ContactList, 'state' | 'change'> & { lead: ReactNode; trail: ReactNode }) {
  const sources = useQuery(queryOptionsFor(listSources)).data;
  const imports = useQuery(queryOptionsFor(listImports, { query: { limit: 50 } })).data;
  const lists = useQuery(queryOptionsFor(getLists)).data;
  const tags = useQuery(queryOptionsFor(getTags)).data;
  const fields: FilterField[] = [
    ...fixedFields,
    { key: 'list', label: 'List', options: groupOptions(lists, state.list) },
    { key: 'tag', label: 'Tag', options: groupOptions(tags, state.tag) },
    { key: 'basis', label: 'Marketing basis', options: optionsOf(basisLabels) },
    {
      key: 'source',
      label: 'Source',
      options: (sources?.items ?? []).map((value) => ({ value, label: value })),
      ...(sources?.isAll === false ? { text: 'Trade fair 2026' } : {}),
    },
    { key: 'import', label: 'Import', options: importOptions(imports?.items ?? [], state.import) },
    { key: 'added', label: 'Added', days: true },
  ];
  return (
    <FilterChips
      single
      lead={lead}
      trail={trail}
      fields={fields}
      value={{
        status: only(state.status),
        domain: only(state.domain),
        verdict: only(state.verdict),
        reason: only(state.reason),
        kind: only(state.kind),
        uk: only(state.uk),
        risk: riskIn(state),
        source: only(state.source),
        import: only(state.import),
        list: (state.list ?? []).map(String),
        tag: (state.tag ?? []).map(String),
        basis: state.basis ?? [],
        added: daysIn(state),
      }}
      onChange={(key, values) => change(filterChange(key, values))}
    />
  );
}
