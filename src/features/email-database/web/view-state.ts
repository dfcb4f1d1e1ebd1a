import type { View, ViewState } from '#features/views/contract.ts';
import { plainState } from '#features/views/rules.ts';
import { type EmailDatabaseState, emailDatabaseSearch } from './email-database-search.ts';

/** What of the screen's address a view keeps: not the page, its size, nor what is open. */
export function viewStateIn(state: EmailDatabaseState, columns: string[] | undefined): ViewState {
  const { search, status, domain, verdict, reason, kind, uk, riskFrom, riskTo, source } = state;
  const { from, to, sort, order, import: imported } = state;
  return plainState({
    ...{ search, status, domain, verdict, reason, kind, uk, riskFrom, riskTo, source, from, to, sort, order },
    import: imported,
    columns,
  });
}

/**
 * The screen's address without anything in it; every field is named, so that laid over another it
 * clears them.
 */
const bare = Object.fromEntries(
  Object.keys(emailDatabaseSearch.shape).map((name) => [
    name,
    (emailDatabaseSearch.parse({}) as Record<string, unknown>)[name],
  ]),
) as EmailDatabaseState;

/** The change of the address that shows a view, and nothing of what was there before. */
export const addressChangeFor = (
  view: Pick<View, 'id' | 'state'>,
  { size }: Pick<EmailDatabaseState, 'size'>,
): EmailDatabaseState => ({ ...bare, size, ...plainState(view.state), view: view.id }) as EmailDatabaseState;

/** The change of the address that shows every contact, in no view. */
export const addressChangeForAll = (
  { size }: Pick<EmailDatabaseState, 'size'>,
  opensAView: boolean,
): EmailDatabaseState => ({ ...bare, size, view: opensAView ? 'all' : undefined });
