import type { View, ViewState } from '#features/views/contract.ts';
import { plainState } from '#features/views/rules.ts';
import { type EmailDatabaseState, emailDatabaseSearch } from './email-database-search.ts';

/** The part of the screen's address that a view stores: not the page, its size, or what is open. */
export function viewStateIn(state: EmailDatabaseState, columns: string[] | undefined): ViewState {
  const { search, status, domain, verdict, reason, kind, uk, riskFrom, riskTo, source } = state;
  const { from, to, sort, order, list, tag, basis, import: imported } = state;
  return plainState({
    ...{ search, status, domain, verdict, reason, kind, uk, riskFrom, riskTo, source, from, to, sort, order },
    ...{ import: imported, list, tag, basis },
    columns,
  });
}

/**
 * The screen's address with everything empty. Every field is named, so that spreading it over
 * another address clears them.
 */
const bare = Object.fromEntries(
  Object.keys(emailDatabaseSearch.shape).map((name) => [
    name,
    (emailDatabaseSearch.parse({}) as Record<string, unknown>)[name],
  ]),
) as EmailDatabaseState;

/** The change of the address that shows a view and clears everything else. */
export const addressChangeFor = (
  view: Pick<View, 'id' | 'state'>,
  { size }: Pick<EmailDatabaseState, 'size'>,
): EmailDatabaseState => ({ ...bare, size, ...plainState(view.state), view: view.id }) as EmailDatabaseState;

/** The change of the address that shows every contact, without a view. */
export const addressChangeForAll = (
  { size }: Pick<EmailDatabaseState, 'size'>,
  opensAView: boolean,
): EmailDatabaseState => ({ ...bare, size, view: opensAView ? 'all' : undefined });
