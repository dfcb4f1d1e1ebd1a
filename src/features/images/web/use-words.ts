import { formatCount, formatShortDate } from '#platform/web/format.ts';
import type { Image, ImageUse } from '../contract.ts';
import { deletedDays } from '../rules/limits.ts';

interface Shown {
  usedBy: readonly ImageUse[];
  keptUntil: Image['keptUntil'];
}

const number = (usedBy: readonly ImageUse[], kind: string) =>
  usedBy.filter((use) => use.kind === kind).length;

/** What becomes of an image that was just deleted. */
export function afterDeletion({ usedBy, keptUntil }: Shown): string {
  if (usedBy.length > 0) {
    const counts = ['template', 'campaign'].flatMap((kind) =>
      number(usedBy, kind) > 0 ? [formatCount(number(usedBy, kind), kind)] : [],
    );
    return `${counts.join(' and ')} still ${usedBy.length === 1 ? 'shows' : 'show'} it, so it stays at its address.`;
  }
  return keptUntil
    ? `It stays at its address until ${formatShortDate(keptUntil)}, for emails that were sent.`
    : `Its address answers for ${deletedDays} more days.`;
}

/** What shows an image, as sentences. */
export function whoShows({ usedBy, keptUntil }: Shown): string {
  const shown = usedBy.map(({ kind, name }) => `the ${kind} “${name}”`).join(', ');
  const now = shown === '' ? 'No template and no campaign shows it.' : `Shown by ${shown}.`;
  const sent = keptUntil
    ? ` Kept until ${formatShortDate(keptUntil)} at least, for emails that were sent.`
    : '';
  return now + sent;
}
