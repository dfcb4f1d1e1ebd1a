import { AppError } from '#platform/shared/errors.ts';
import type { SaidBasis } from '../../contract.ts';

const london = new Intl.DateTimeFormat('en-CA', {
  timeZone: 'Europe/London',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
});

/**
 * Throws `invalid_input` for a day that has not come yet, and for what an unknown basis cannot
 * have.
 */
export function refuseUntrue({ basis, givenOn, source }: SaidBasis): void {
  if (basis === 'unknown' && (givenOn || source)) {
    const problem = 'What is unknown has neither a source nor a day.';
    throw new AppError('invalid_input', problem, { fields: { basis: problem } });
  }
  if (!givenOn || givenOn <= london.format(new Date())) return;
  const problem = 'This day has not come yet.';
  throw new AppError('invalid_input', problem, { fields: { givenOn: problem } });
}
