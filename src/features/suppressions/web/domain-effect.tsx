import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { ApiError, queryOptionsFor } from '#platform/web/api.ts';
import { ErrorLine } from '#platform/web/components/states.tsx';
import { useShownFailure } from '#platform/web/failed-calls.ts';
import { formatCount } from '#platform/web/format.ts';
import { type DomainPreview, previewDomain } from '../contract.ts';
import classes from './domain-effect.module.css';

const pauseMs = 300;
/** Text that may be a whole domain. The server knows for certain. */
const mayBeDomain = /[^\s.]\.[^\s.]{2,}$/;

/** What suppressing the typed domain would do. Keeps its lines while nothing is known. */
export function DomainEffect({ typed }: { typed: string }) {
  const [settled] = useDebouncedValue(typed.trim(), pauseMs);
  const isAsked = settled === typed.trim() && mayBeDomain.test(settled);
  const { data, error } = useQuery({
    ...queryOptionsFor(previewDomain, { query: { domain: settled } }),
    enabled: isAsked,
    staleTime: 10_000,
  });
  // What is no domain is refused where it is typed, once somebody submits it.
  const isRefused = error instanceof ApiError && error.status === 400;
  useShownFailure(isRefused ? error : null);
  return (
    <div className={classes.effect} role="status">
      {isAsked && data && effectWords(data)}
      {isAsked && error && !isRefused && (
        <ErrorLine title="The contacts there could not be counted." error={error} />
      )}
    </div>
  );
}

/** "1,204 contacts there will not be mailed. 30 of them are suppressed already." */
export function effectWords({ affectedCount, suppressedCount, isListed }: DomainPreview): string {
  if (isListed)
    return `Already on the list, with ${formatCount(affectedCount, 'contact')}. Nothing would change.`;
  if (affectedCount === 0) return 'You have no contacts there. Later ones would not be mailed.';
  const affected = `${formatCount(affectedCount, 'contact')} there would not be mailed any more.`;
  if (suppressedCount === 0) return affected;
  if (suppressedCount === affectedCount)
    return `${formatCount(affectedCount, 'contact')} there, all suppressed already.`;
  return `${affected} ${formatCount(suppressedCount, 'is', 'are')} suppressed already.`;
}
