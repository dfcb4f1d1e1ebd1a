import { AppError } from '#platform/shared/errors.ts';

/**
 * Throws `changed_meanwhile` when a list or a tag is not as it was at `seen` (ISO). Undefined:
 * nobody looked, and it is changed whatever stands there.
 */
export function refuseChanged(
  { name, updatedAt }: { name: string; updatedAt: string },
  seen: string | undefined,
): void {
  if (seen === undefined || Date.parse(seen) === Date.parse(updatedAt)) return;
  const message = `Somebody has changed “${name}” since you opened it. Nothing was saved yet.`;
  throw new AppError('changed_meanwhile', message);
}
