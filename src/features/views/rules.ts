import { longestViewName, type View, type ViewState, viewStateFields } from './contract.ts';

/** What is wrong with the name of a view, in words, or null. */
export function viewNameProblem(name: string): string | null {
  const trimmed = name.trim();
  if (trimmed === '') return 'Please give the view a name.';
  if ([...trimmed].length > longestViewName)
    return `The name of a view has at most ${longestViewName} characters.`;
  if (/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u.test(trimmed) || !trimmed.isWellFormed())
    return 'A name is one line of plain text.';
  return null;
}

/**
 * The state of a view out of what is stored. What this version does not know, or does not take any more, is left out; the
 * rest of the view keeps its meaning.
 */
export function readViewState(stored: unknown): ViewState {
  const given =
    typeof stored === 'object' && stored !== null && !Array.isArray(stored)
      ? (stored as Record<string, unknown>)
      : {};
  const kept: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(viewStateFields)) {
    if (!Object.hasOwn(given, name)) continue;
    const parsed = field.safeParse(given[name]);
    if (parsed.success) kept[name] = parsed.data;
  }
  return plainState(kept as ViewState);
}

/** The same state without what goes without saying: no search, the usual order, a column named twice. */
export function plainState({ search, sort, order, columns, ...filters }: ViewState): ViewState {
  const term = search?.trim() ?? '';
  const usualOrder = sort === 'address' ? 'asc' : 'desc';
  const state: ViewState = {
    ...filters,
    ...(term === '' ? {} : { search: term }),
    ...(sort === undefined || sort === 'createdAt' ? {} : { sort }),
    ...(order === undefined || order === usualOrder ? {} : { order }),
    ...(columns === undefined ? {} : { columns: plainColumns(columns) }),
  };
  return Object.fromEntries(Object.entries(state).filter(([, value]) => value !== undefined));
}

/** Each column once, and the address only where it is the one column: it always comes first. */
export function plainColumns(columns: readonly string[]): string[] {
  const others = [...new Set(columns)].filter((key) => key !== 'address');
  return others.length === 0 ? ['address'] : others;
}

/** Whether two states show the same. */
export function sameState(one: ViewState, other: ViewState): boolean {
  const text = (state: ViewState) =>
    JSON.stringify(Object.entries(plainState(state)).sort(([a], [b]) => (a < b ? -1 : 1)));
  return text(one) === text(other);
}

/** Where a view opens, as a path of the product: its state by the names in the screen's address, and which view it is. */
export function pathOfView({ id, state }: Pick<View, 'id' | 'state'>): string {
  const query = Object.entries({ ...state, view: id })
    .flatMap(([name, value]) => [value].flat().map((one) => `${name}=${encodeURIComponent(String(one))}`))
    .join('&');
  return `/email-database?${query}`;
}
