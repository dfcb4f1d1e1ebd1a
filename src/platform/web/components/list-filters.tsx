import type { UrlStateOptions } from '../url-state.ts';
import { DayRangeField } from './day-range-field.tsx';
import { FilterChips } from './filter-chips.tsx';
import type { FilterField } from './filter-field.ts';
import { SearchField } from './search-field.tsx';

/** A screen's address as far as the filters need it: each field by name. */
type State = object;

export interface ListFiltersProps<S extends State> {
  state: S;
  change: (patch: Partial<S>, options?: UrlStateOptions) => void;
  /** The address field that holds the search. */
  search?: { field: keyof S & string; placeholder: string };
  /** One choice per field. The key is the name in the address. */
  fields?: readonly (FilterField & { key: keyof S & string })[];
  /** The days `from` and `to`, and whether each choice adds a step to the history. */
  days?: UrlStateOptions;
}

/** Whether filters hide part of the list. */
export const isNarrowed = <S extends State>({
  state,
  search,
  fields = [],
  days,
}: ListFiltersProps<S>): boolean =>
  [...(search ? [search.field] : []), ...fields.map(({ key }) => key), ...(days ? ['from', 'to'] : [])].some(
    (name) => Boolean(fieldOf(state, name)),
  );

/** The controls that narrow a list: search, filters, days. A change goes back to the first page. */
export function ListFilters<S extends State>({ state, change, search, fields, days }: ListFiltersProps<S>) {
  const narrow = (patch: object, options?: UrlStateOptions) =>
    change({ ...patch, ...('page' in state ? { page: 1 } : {}) } as Partial<S>, options);
  const dayRange = days && (
    <DayRangeField
      label="Days"
      from={textOf(state, 'from')}
      to={textOf(state, 'to')}
      onChange={(chosen) => narrow(chosen, days)}
    />
  );
  return (
    <>
      {search ? (
        <SearchField
          slash
          placeholder={search.placeholder}
          value={textOf(state, search.field) ?? ''}
          onSearch={(text) => narrow({ [search.field]: text }, { replace: true })}
        />
      ) : (
        dayRange
      )}
      {fields && (
        <FilterChips
          single
          fields={[...fields]}
          value={Object.fromEntries(fields.map(({ key }) => [key, [textOf(state, key) ?? []].flat()]))}
          onChange={(key, [value]) => narrow({ [key]: value })}
        />
      )}
      {search && dayRange}
    </>
  );
}

const fieldOf = (state: State, name: string): unknown => (state as Record<string, unknown>)[name];

const textOf = (state: State, name: string): string | undefined => {
  const value = fieldOf(state, name);
  return typeof value === 'string' ? value : undefined;
};
