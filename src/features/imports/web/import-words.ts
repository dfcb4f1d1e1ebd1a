import type { UkPolicy } from '#features/addresses/contract.ts';
import { formatCount, formatNumber } from '#platform/web/format.ts';
import type { ImportCheck, ImportOptions, ImportProgress, ImportRecord } from '../contract.ts';
import { describeSuppressed } from '../rules/left-out.ts';
import { nonUkLines, nonUkTitle } from '../rules/non-uk-words.ts';
import type { OptOutReason } from '../rules/opt-outs.ts';

export {
  problemsSentence,
  problemWord,
  severalSentence,
  skippedSentence,
  titlesSentence,
} from '../rules/problem-words.ts';

/** "12 addresses went to the suppression list, because the file says not to mail them." */
export const newlySuppressedSentence = (added: number): string =>
  `${formatCount(added, 'address', 'addresses')} went to the suppression list, because the file says not to mail ${added === 1 ? 'it' : 'them'}.`;

/** "12 people had left the list on their preference page. They stay off it." */
export const leftTopicsSentence = (left: number): string =>
  `${formatCount(left, 'person', 'people')} had left the list on the preference page of an email. ${left === 1 ? 'That person stays' : 'They stay'} off it.`;

/** What became of the contacts that an undone import had added. `kept`: how long, in words. */
export function undoneSentence(
  { restoredAt, restored }: Pick<ImportRecord, 'restoredAt' | 'restored'>,
  kept: string,
): string {
  if (restoredAt !== null) return 'What this import added is back from the bin.';
  const gone = `What this import added, and nobody has changed since, went to the bin ${kept}.`;
  if (!restored || restored.contacts === 0) return gone;
  const { contacts, outOf } = restored;
  return `${gone} ${formatNumber(contacts)} of ${formatCount(outOf, 'contact')} came back.`;
}

/** What the contacts of a file are put on: "1 list, 2 tags". */
export function groupsWords({ listId, tagIds = [] }: ImportOptions): string {
  const chosen = [
    ...(listId === undefined ? [] : ['1 list']),
    ...(tagIds.length === 0 ? [] : [formatCount(tagIds.length, 'tag')]),
  ];
  return chosen.join(', ') || 'Choose';
}

/** "Read from the sheet “Members”, one of 3." */
export const sheetSentence = ({ name, sheets }: NonNullable<ImportRecord['sheet']>): string =>
  `Read from the sheet “${name}”, one of ${formatNumber(sheets.length)}.`;

/** Why somebody must not be mailed, in a few words. */
export const reasonWord = (reason: OptOutReason): string =>
  reason === 'imported' ? 'Do not mail' : describeSuppressed(reason, '');

/** The words of the import screens. */

export const needsEditor = 'Importing needs the editor role';

/**
 * What the import of a checked file is for, or null when it would do nothing. A list of those who
 * left becomes no contact, and is worth importing all the same. So are those who are contacts
 * already, if they get a list, a tag or a marketing basis.
 */
export function importLabel(
  { counts, optedOut, columns }: Pick<ImportCheck, 'counts' | 'optedOut' | 'columns'>,
  { listId, tagIds = [], basis }: Pick<ImportOptions, 'listId' | 'tagIds' | 'basis'> = {},
): string | null {
  if (counts.imported > 0) return `Import ${formatCount(counts.imported, 'contact')}`;
  if (counts.duplicates > 0 && (listId !== undefined || tagIds.length > 0))
    return listId === undefined ? 'Tag known contacts' : 'Put known contacts on it';
  if (counts.duplicates > 0 && (basis || columns.some(({ target }) => target === 'basis')))
    return 'Set the basis of known contacts';
  return optedOut > 0 ? `Import ${formatCount(optedOut, 'opt-out')}` : null;
}

export function importedMessage(imported: number, newlySuppressed: number) {
  const title = 'Import Complete';
  return imported === 0 && newlySuppressed > 0
    ? { title, message: newlySuppressedSentence(newlySuppressed) }
    : { title, message: `Imported ${formatNumber(imported)} emails successfully.` };
}

export const failedMessage = {
  title: 'Import Failed',
  message: 'There was an error importing your CSV file. Please try again.',
};

/**
 * Whether a file name looks like another mail tool's list of people not to mail, such as
 * `unsubscribed_members_export_1a2b.csv` and `cleaned_segment.csv`.
 */
export const looksLikeSuppressions = (fileName: string): boolean =>
  /(?:^|[^a-z])(?:unsubscribe[ds]?|cleaned|(?:hard[-_ ]?)?bounce[ds]?|suppress(?:ed|ions?)|complain(?:ed|ts?)|opt(?:ed)?[-_ ]?outs?|do[-_ ]?not[-_ ]?(?:e?mail|contact)|block(?:ed|list)|blacklist)(?![a-z])/i.test(
    fileName,
  );

/** The text on a failed import that gives no reason. */
export const noReason = 'Import failed';

export const optionKeys = ['removeDuplicates', 'validateEmails', 'filterNonUk', 'checkSuppressions'] as const;
export type OptionKey = (typeof optionKeys)[number];

export const optionLabels: Record<OptionKey, string> = {
  removeDuplicates: 'Remove duplicates',
  validateEmails: 'Validate email format',
  filterNonUk: 'Filter non-UK domains',
  checkSuppressions: 'Check against the suppression list',
};

export const defaultOptions: ImportOptions = {
  removeDuplicates: true,
  validateEmails: true,
  filterNonUk: true,
  checkSuppressions: true,
};

/** What a policy keeps in addition to the allowed endings. */
const alsoKept: Record<Exclude<UkPolicy, 'suffix'>, string> = {
  likely: 'likely UK domains',
  any_but_foreign_cctld: 'all but foreign endings',
};

/**
 * "Keeps .uk, .co.uk, .org.uk and 5 more", and what the policy adds: "…, and likely UK domains".
 */
export function keptDomains(endings: readonly string[], policy: UkPolicy): string {
  const also = policy === 'suffix' ? null : alsoKept[policy];
  if (endings.length === 0) return also ? `Keeps ${also}` : 'No endings are allowed: see Settings';
  const shown = endings.slice(0, 3).join(', ');
  const more = endings.length > 3 ? ` and ${formatNumber(endings.length - 3)} more` : '';
  return `Keeps ${shown}${more}${also ? `, and ${also}` : ''}`;
}

/** Describes what the server is doing. */
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

/**
 * Joins a fate and its reason: "Duplicate, same as line 2". "Non-UK, likely UK" would contradict
 * itself.
 */
export function fateSentence(fate: string, why: string): string {
  if (why === '') return fate;
  if (why.startsWith('Likely UK')) return why;
  const [head = '', second = ''] = why;
  // An abbreviation or an address keeps its capital.
  const lowered = second === second.toLowerCase() ? head.toLowerCase() + why.slice(1) : why;
  return `${fate}, ${lowered}`;
}

/**
 * What the UK filter does: how many of the rows it leaves out look British, and a line for each UK
 * class with its largest domains.
 */
export function ukWords(
  policy: UkPolicy,
  { ukView, nonUkView }: Pick<ImportCheck, 'ukView' | 'nonUkView'>,
): { title: string; lines: string[] } {
  const lines = nonUkLines(nonUkView);
  const british = nonUkView.uk + nonUkView.likelyUk;
  if (british > 0)
    return {
      title: `${formatNumber(british)} of the non-UK rows ${british === 1 ? 'looks' : 'look'} British`,
      lines,
    };
  if (policy !== 'any_but_foreign_cctld' && nonUkView.global > 0)
    return { title: `${formatNumber(nonUkView.global)} of the non-UK rows may be British`, lines };
  const title = nonUkTitle(nonUkView);
  if (title !== null) return { title, lines };
  const kept = formatCount(ukView.likelyUk + ukView.global, 'row');
  return {
    title: 'No row is left out as non-UK',
    lines: [`Beside UK endings, ${kept} at UK and worldwide providers.`],
  };
}

/** When a file was imported; before that, when it was uploaded. */
export const importedAt = ({
  finishedAt,
  createdAt,
}: Pick<ImportRecord, 'finishedAt' | 'createdAt'>): string => finishedAt ?? createdAt;

export const addresses = /([^\s,;|"<>()']+@[^\s,;|"<>()']+)/;

/** So many letters may stand before an address that a narrow column still shows. */
const seenBefore = 36;

/**
 * A row by which it can be recognised: from a little before its first address, where that stands
 * far behind, as in files with many empty columns.
 */
export function fromNearAddress(row: string): string {
  const at = row.search(addresses);
  return at <= seenBefore ? row : `…${row.slice(at - seenBefore / 3)}`;
}
