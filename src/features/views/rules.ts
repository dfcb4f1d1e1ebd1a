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
 * Fields that say how a screen looks. Without one of them, a view still shows the contacts that it
 * means.
 */
const appearance = new Set(['sort', 'order', 'columns']);

const newerVersion =
  'This view was made by a newer version of Email Manager, and this one does not understand all of it.';

/**
 * A view as it is read out of what is stored: `problem` says in words why it cannot be opened, and
 * is null as a rule.
 */
export interface ReadView {
  state: ViewState;
  problem: string | null;
}

/**
 * Reads a stored view. A condition that this version does not know, or a value that it does not
 * take, is not left out: the rest would show more contacts than the view means. Such a view has a
 * problem, and no state. How the screen looks may be left out.
 */
export function readViewState(stored: unknown): ReadView {
  const unreadable = { state: {}, problem: newerVersion };
  if (typeof stored !== 'object' || stored === null || Array.isArray(stored)) return unreadable;
  const kept: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(stored)) {
    const field = Object.hasOwn(viewStateFields, name)
      ? viewStateFields[name as keyof typeof viewStateFields]
      : undefined;
    const parsed = field?.safeParse(value);
    if (parsed?.success) kept[name] = parsed.data;
    else if (!appearance.has(name)) return unreadable;
  }
  return { state: plainState(kept as ViewState), problem: null };
}

/**
 * The same state without what goes without saying: no search, the usual order, a column named
 * twice.
 */
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

/**
 * Where a view opens, as a path of the product: its state by the names in the screen's address, and
 * which view it is.
 */
export function pathOfView({ id, state }: Pick<View, 'id' | 'state'>): string {
  const query = Object.entries({ ...state, view: id })
    .flatMap(([name, value]) => [value].flat().map((one) => `${name}=${encodeURIComponent(String(one))}`))
    .join('&');
  return `/email-database?${query}`;
}
