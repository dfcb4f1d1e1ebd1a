import { formatCount } from '#platform/web/format.ts';
import type { PastDecision } from '../contract.ts';

/** A past decision in one line, and in full if the line leaves something out. */
export function wordsOf({ kind, contacts, pattern, samples, kept }: PastDecision): {
  text: string;
  full: string;
} {
  const lines = samples.map(({ before, after }) => (after === '' ? before : `${before} → ${after}`));
  const left = contacts - samples.length;
  const full = [...lines, ...(left > 0 && lines.length > 0 ? [`and ${left} more`] : [])].join('\n');
  if (kind === 'correction') return { text: correctionText(contacts, pattern, lines), full };
  const into = kept?.address ?? 'a contact that is gone by now';
  const [first] = samples;
  const rest = contacts - 1;
  if (!first) return { text: `${formatCount(contacts, 'contact')} into ${into}`, full };
  const others = rest > 0 ? ` and ${formatCount(rest, 'other')}` : '';
  return { text: `${first.before}${others} into ${into}`, full };
}

function correctionText(
  contacts: number,
  pattern: PastDecision['pattern'],
  lines: readonly string[],
): string {
  const [first] = lines;
  if (contacts === 1 && first) return first;
  if (pattern) return pattern.from === pattern.to ? pattern.from : `${pattern.from} → ${pattern.to}`;
  if (!first) return formatCount(contacts, 'address', 'addresses');
  return `${first} and ${formatCount(contacts - 1, 'other')}`;
}
