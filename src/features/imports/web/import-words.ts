import type { UkPolicy } from '#features/addresses/contract.ts';
import { formatCount, formatNumber } from '#platform/web/format.ts';
import type { ImportCheck, ImportOptions, ImportProgress } from '../contract.ts';

/** The words of the import screens. */

export const importedMessage = (imported: number) => ({
  title: 'Import Complete',
  message: `Imported ${formatNumber(imported)} emails successfully.`,
});

export const failedMessage = {
  title: 'Import Failed',
  message: 'There was an error importing your CSV file. Please try again.',
};

/** What stands on a failed import that gives no reason. */
export const noReason = 'Import failed';

export const optionKeys = ['removeDuplicates', 'validateEmails', 'filterNonUk', 'checkSuppressions'] as const;
export type OptionKey = (typeof optionKeys)[number];

export const optionLabels: Record<OptionKey, string> = {
  removeDuplicates: 'Remove duplicates',
  validateEmails: 'Validate email format',
  filterNonUk: 'Filter non-UK domains',
  checkSuppressions: 'Check against the suppression list',
};

/** All on. */
export const defaultOptions: ImportOptions = {
  removeDuplicates: true,
  validateEmails: true,
  filterNonUk: true,
  checkSuppressions: true,
};

/** "Keeps .uk, .co.uk, .org.uk and 5 more". */
export function keptEndings(endings: readonly string[]): string {
  if (endings.length === 0) return 'No endings are allowed: see Settings';
  const shown = endings.slice(0, 3).join(', ');
  return `Keeps ${shown}${endings.length > 3 ? ` and ${formatNumber(endings.length - 3)} more` : ''}`;
}

/** What the server is doing, in words. */
export function phaseWords(progress: ImportProgress | null): string {
  if (progress === null) return 'Starting';
  const { phase, bytesRead, bytesTotal } = progress;
  if (phase === 'uploading') return 'Waiting to begin';
  if (phase === 'saving') return 'Saving the contacts';
  if (phase === 'done') return 'Finishing';
  return bytesTotal > 0 && bytesRead >= bytesTotal
    ? 'Comparing with your contacts and suppressions'
    : 'Reading the rows';
}

/** `1` of each kind in a sentence: "3 have too many fields, 1 has an unclosed quote". */
const problemKinds: Record<string, { one: string; many: string; alone: string }> = {
  unclosed_quote: { one: 'has an unclosed quote', many: 'have an unclosed quote', alone: 'Unclosed quote' },
  malformed_quote: {
    one: 'has text after a closing quote',
    many: 'have text after a closing quote',
    alone: 'Text after a closing quote',
  },
  too_many_fields: { one: 'has too many fields', many: 'have too many fields', alone: 'Too many fields' },
  too_few_fields: { one: 'has too few fields', many: 'have too few fields', alone: 'Too few fields' },
  record_too_long: { one: 'is too long to read', many: 'are too long to read', alone: 'Too long to read' },
  nul_byte: {
    one: 'holds characters that cannot be shown',
    many: 'hold characters that cannot be shown',
    alone: 'Characters that cannot be shown',
  },
  bad_encoding: { one: 'holds a lost character', many: 'hold a lost character', alone: 'Lost character' },
};

export const problemWord = (kind: string): string =>
  problemKinds[kind]?.alone ?? 'Cannot be read as it stands';

/** "4 lines do not fit the header: 3 have too many fields, 1 has an unclosed quote (line 90,412)." */
export function problemsSentence({ problems, dialect }: Pick<ImportCheck, 'problems' | 'dialect'>): string {
  const { total, byKind, first } = problems;
  const parts = Object.entries(byKind)
    .sort(([, a], [, b]) => b - a)
    .map(([kind, count]) => {
      const words = problemKinds[kind];
      const line = count === 1 ? first.find((one) => one.kind === kind)?.line : undefined;
      const verb = count === 1 ? (words?.one ?? 'cannot be read') : (words?.many ?? 'cannot be read');
      return `${formatNumber(count)} ${verb}${line === undefined ? '' : ` (line ${formatNumber(line)})`}`;
    });
  const lines = formatCount(total, 'line');
  return `${lines} ${total === 1 ? 'does' : 'do'} not fit the ${dialect.header ? 'header' : 'others'}: ${parts.join(', ')}.`;
}

/** Joins a fate and its reason: "Duplicate, same as line 2". "Non-UK, likely UK" would contradict itself. */
export function fateSentence(fate: string, why: string): string {
  if (why === '') return fate;
  if (why.startsWith('Likely UK')) return why;
  const [head = '', second = ''] = why;
  // An abbreviation or an address keeps its capital.
  const lowered = second === second.toLowerCase() ? head.toLowerCase() + why.slice(1) : why;
  return `${fate}, ${lowered}`;
}

/**
 * What the non-UK filter means for this file. Providers are counted by class: "likely UK" such as btinternet.com,
 * "global" such as gmail.com; what has any other foreign ending is not UK.
 */
export function ukWords(
  policy: UkPolicy,
  { ukView, nonUkView }: Pick<ImportCheck, 'ukView' | 'nonUkView'>,
): { title: string; text: string } {
  if (policy === 'suffix' && nonUkView.likelyUk > 0) {
    const { likelyUk } = nonUkView;
    return {
      title: `${formatNumber(likelyUk)} of the non-UK rows ${likelyUk === 1 ? 'looks' : 'look'} British`,
      text: `${likelyUk === 1 ? 'It uses a UK provider' : 'They use UK providers'} such as btinternet.com, sky.com and virginmedia.com.`,
    };
  }
  if (policy !== 'any_but_foreign_cctld' && nonUkView.global > 0) {
    const { global } = nonUkView;
    return {
      title: `${formatNumber(global)} of the non-UK rows may be British`,
      text: `${global === 1 ? 'It uses a worldwide provider' : 'They use worldwide providers'} such as gmail.com and outlook.com.`,
    };
  }
  const kept = formatCount(ukView.likelyUk + (policy === 'likely' ? 0 : ukView.global), 'row');
  return {
    title: 'Rows that look British are kept',
    text: `Beside UK endings that is ${kept} at ${policy === 'likely' ? 'UK' : 'UK and worldwide'} providers.`,
  };
}
