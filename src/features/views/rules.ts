import { usualOrders } from '#features/audience/rules/order.ts';
import { longestViewName, type View, type ViewState, viewStateFields } from './contract.ts';

/** What is wrong with the name of a view, in words. Null when nothing is. */
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
 * Fields that say how a screen looks. A view without one of them still shows the right contacts.
 */
const appearance = new Set(['sort', 'order', 'columns']);

const newerVersion =
  'This view was made by a newer version of Email Manager, and this one does not understand all of it.';

/**
 * A view as read from storage. `problem` says in words why it cannot be opened; usually it is null.
 */
export interface ReadView {
  state: ViewState;
  problem: string | null;
}

/**
 * Reads a stored view. An unknown condition or an invalid value is not dropped, because the rest
 * would show more contacts than the view means. Such a view has a problem and no state. Fields for
 * the screen's looks may be dropped.
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

/** The same state without defaults: an empty search, the usual order, a repeated column. */
export function plainState({ search, sort, order, columns, ...filters }: ViewState): ViewState {
  const term = search?.trim() ?? '';
  const usualOrder = usualOrders[sort ?? 'createdAt'];
  const state: ViewState = {
    ...filters,
    ...(term === '' ? {} : { search: term }),
    ...(sort === undefined || sort === 'createdAt' ? {} : { sort }),
    ...(order === undefined || order === usualOrder ? {} : { order }),
    ...(columns === undefined ? {} : { columns: plainColumns(columns) }),
  };
  return Object.fromEntries(Object.entries(state).filter(([, value]) => value !== undefined));
}

/**
 * Each column once. The address is listed only when it is the only column, because it always comes
 * first.
 */
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
 * Where a view opens, as a path of the product: its state under the names in the screen's address,
 * and the view's id.
 */
export function pathOfView({ id, state }: Pick<View, 'id' | 'state'>): string {
  const query = Object.entries({ ...state, view: id })
    .flatMap(([name, value]) => [value].flat().map((one) => `${name}=${encodeURIComponent(String(one))}`))
    .join('&');
  return `/email-database?${query}`;
}
