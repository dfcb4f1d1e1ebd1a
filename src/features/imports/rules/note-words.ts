import { formatCount, formatNumber } from '#platform/shared/words.ts';
import type { ImportNotes } from '../contract.ts';
import { problemsSentence, severalSentence, titlesSentence } from './problem-words.ts';

/** What somebody should know about how a file was read, in sentences. */
export interface NoteWords {
  /** What may have gone wrong, so that somebody should look. */
  warnings: string[];
  /** What was done, and is as it should be. */
  remarks: string[];
}

export function noteWords(notes: ImportNotes): NoteWords {
  const { severalAddresses, titles, problems, slipTotal } = notes;
  const isMended = slipTotal.rows > 0 && slipTotal.mended === slipTotal.rows;
  const slips = slipTotal.rows > 0 ? [`${slipsFound(notes)} ${slipsMended(slipTotal)}`] : [];
  return {
    warnings: [
      ...otherAddressesSentences(notes),
      ...notes.unclear.map(unclearSentence),
      ...notes.unusedDoNotMail.map(
        (name) => `“${shortened(name)}” says who must not be mailed, and was left out of account.`,
      ),
      ...(isMended ? [] : slips),
      ...(problems.total > 0 ? [problemsSentence({ problems, dialect: notes })] : []),
    ],
    remarks: [
      ...(severalAddresses.lines > 0 ? [severalSentence(severalAddresses)] : []),
      ...(titles.length > 0 ? [titlesSentence(titles)] : []),
      ...(notes.notKept.length > 0 ? [notKeptSentence(notes.notKept)] : []),
      ...(isMended ? slips : []),
    ],
  };
}

const shortened = (text: string): string =>
  text.length > 80 ? `${text.slice(0, 79).toWellFormed()}…` : text;

const listed = (names: readonly string[]): string => names.map((name) => `“${shortened(name)}”`).join(', ');

function otherAddressesSentences({ otherAddresses, emailColumns }: ImportNotes): string[] {
  return otherAddresses.slice(0, 3).map(({ name, addresses }) => {
    const held = formatCount(addresses, 'row');
    return `“${shortened(name)}” holds addresses too, in ${held} of those looked at. They were read from ${listed(emailColumns)} alone.`;
  });
}

function unclearSentence({ name, values }: ImportNotes['unclear'][number]): string {
  const [first, ...others] = values;
  if (first?.value === '')
    return `“${shortened(name)}” holds ${listed(others.slice(0, 5).map(({ value }) => value))}, and nothing in ${formatCount(first.rows, 'row')} of those looked at. Nobody has said what a blank means, so nobody was left out for it.`;
  const told = listed(values.slice(0, 5).map(({ value }) => value));
  return `“${shortened(name)}” may say who must not be mailed. It holds ${told}${values.length > 5 ? ' and others' : ''}, which nobody has explained, so nobody was left out for it.`;
}

const shownNames = 5;

function notKeptSentence(names: readonly string[]): string {
  const others = names.length - shownNames;
  const rest = others > 0 ? ` and ${formatCount(others, 'other')}` : '';
  return `Not kept: ${listed(names.slice(0, shownNames))}${rest}. Choose where a column goes, or allow it in the settings, to keep it.`;
}

const shownSlips = 4;

/** Which slips a file has, and in how many rows: "3 rows have a probable slip in …". */
export function slipsFound({
  slips,
  slipTotal: { patterns, rows },
}: Pick<ImportNotes, 'slips' | 'slipTotal'>): string {
  const told = slips
    .slice(0, shownSlips)
    .map(({ from, to, rows }) => `${from} for ${to} ${formatNumber(rows)}`)
    .join(', ');
  const others = patterns - Math.min(shownSlips, slips.length);
  const verb = rows === 1 ? 'has' : 'have';
  return `${formatCount(rows, 'row')} ${verb} a probable slip in the domain: ${told}${others > 0 ? ` and ${formatCount(others, 'other')}` : ''}.`;
}

/** How many of them were mended. */
export function slipsMended({ rows, mended }: ImportNotes['slipTotal']): string {
  if (mended === 0) return 'None was mended.';
  const who = mended < rows ? formatNumber(mended) : rows === 1 ? 'It' : 'They';
  return `${who} ${mended === 1 ? 'was' : 'were'} mended.`;
}
