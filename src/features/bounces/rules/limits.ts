import { formatNumber, formatPercent } from '#platform/shared/words.ts';

/** What receivers take for a sender who does not know whom they write to. */
const limits = { hard: 0.05, complained: 0.001 } as const;
/** Before so many messages, and so many more after somebody let it go on, a share says little. */
export const judgedAfter = 500;

/** Why a mailing must not go on by itself, in words. Null when it may. */
export function reasonToPause({
  handled,
  hard,
  complained,
}: {
  /** Messages that mail servers have answered. */
  handled: number;
  hard: number;
  complained: number;
}): string | null {
  if (handled < judgedAfter) return null;
  const of = `of ${formatNumber(handled)} messages`;
  if (hard / handled >= limits.hard)
    return (
      `${formatPercent(hard / handled)} ${of} bounced for good, and receivers mistrust senders with 5% or more. ` +
      'Verify the addresses of this audience and leave out those that are not there before you resume.'
    );
  if (complained / handled >= limits.complained)
    return (
      `${formatPercent(complained / handled)} ${of} were reported as spam, and receivers block senders with 0.1% or more. ` +
      'Make sure that everybody in this audience has asked for it before you resume.'
    );
  return null;
}
