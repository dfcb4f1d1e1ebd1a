import { readFileSync } from 'node:fs';
import { domainToASCII, domainToUnicode } from 'node:url';
import { createJudge, type Judge } from '../rules.ts';

/** One address of the labelled set, with the labels of a careful person. Null: not labelled. */
export interface LabelledAddress {
  text: string;
  group: string;
  verdict: string;
  reasons: string[] | null;
  kind: string | null;
  uk: string | null;
  suggestion: string | null;
}

export interface LabelledMiss {
  text: string;
  group: string;
  /** `verdict invalid, not risky`, for people. */
  differences: string[];
}

export interface LabelledSetAccuracy {
  addresses: number;
  /** Addresses with the labelled verdict, and addresses with all labels right. */
  verdictsRight: number;
  right: number;
  /** right ÷ addresses. */
  accuracy: number;
  misses: LabelledMiss[];
}

/** Written by hand, and made by scripts/make-labelled-set.ts. */
const files = ['./labelled-set.txt', './labelled-set-made.txt'];

const unescaped = (text: string): string =>
  text.replace(/\\(?:u([0-9a-f]{4})|(.))/g, (_, code: string | undefined, mark: string) => {
    if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16));
    return mark === 's' ? ' ' : mark === 't' ? '\t' : mark;
  });

/** Reads the labelled set. Its first file describes the format at its top. */
export function readLabelledSet(): LabelledAddress[] {
  return files.flatMap((file) => readLabels(readFileSync(new URL(file, import.meta.url), 'utf8')));
}

function readLabels(text: string): LabelledAddress[] {
  const all: LabelledAddress[] = [];
  let group: Omit<LabelledAddress, 'text' | 'suggestion'> | null = null;
  for (const line of text.split('\n')) {
    if (line.startsWith('# ') || line.trim() === '') continue;
    if (line.startsWith('== ')) {
      const [title = '', verdict = '', reasons = '', kind = '', uk = ''] = line.slice(3).split(' | ');
      const labelled = (word: string) => (word === '*' ? null : word);
      group = {
        group: title,
        verdict,
        reasons: reasons === '*' ? null : reasons === '-' ? [] : reasons.split(','),
        kind: labelled(kind),
        uk: labelled(uk),
      };
      continue;
    }
    if (group === null) throw new Error('The labelled set begins with an address that is in no group');
    for (const word of line.trim().split(/ +/)) {
      const [text = '', suggestion] = word.split('=>');
      all.push({
        ...group,
        text: unescaped(text),
        suggestion: suggestion === undefined ? null : unescaped(suggestion),
      });
    }
  }
  return all;
}

function differencesOf(judge: Judge, labelled: LabelledAddress): string[] {
  const judged = judge(labelled.text);
  const differences: string[] = [];
  const compare = (what: string, is: string | null, label: string | null) => {
    if (is !== label) differences.push(`${what} ${is ?? 'none'}, not ${label ?? 'none'}`);
  };
  compare('verdict', judged.verdict, labelled.verdict);
  compare('suggestion', judged.suggestion, labelled.suggestion);
  if (labelled.reasons !== null) {
    const codes = judged.reasons.map((reason) => reason.code).sort();
    compare('reasons', codes.join(', '), [...labelled.reasons].sort().join(', '));
  }
  if (labelled.kind !== null) compare('kind', judged.kind, labelled.kind);
  if (labelled.uk !== null) compare('UK class', judged.uk, labelled.uk);
  return differences;
}

let measured: LabelledSetAccuracy | null = null;

/**
 * How often the judge agrees with the labelled set under strict rules. Measured once per process,
 * in a few milliseconds.
 */
export function accuracyOfLabelledSet(): LabelledSetAccuracy {
  if (measured !== null) return measured;
  const judge = createJudge({
    idna: { toAscii: domainToASCII, toUnicode: domainToUnicode },
    cacheSlots: 4096,
  });
  const all = readLabelledSet();
  const misses: LabelledMiss[] = [];
  for (const labelled of all) {
    const differences = differencesOf(judge, labelled);
    if (differences.length > 0) misses.push({ text: labelled.text, group: labelled.group, differences });
  }
  const wrongVerdicts = misses.filter((miss) =>
    miss.differences.some((words) => words.startsWith('verdict')),
  );
  const right = all.length - misses.length;
  measured = {
    addresses: all.length,
    verdictsRight: all.length - wrongVerdicts.length,
    right,
    accuracy: right / all.length,
    misses,
  };
  return measured;
}

export interface KindScore {
  addresses: number;
  right: number;
}

/** The score of each kind. Kinds that were made have a second batch, which no rule was tuned on. */
export function accuracyByKind(): { kind: string; tuned: KindScore; heldOut: KindScore | null }[] {
  const missed = new Set(accuracyOfLabelledSet().misses.map(({ text }) => text));
  const scores = new Map<string, { tuned: KindScore; heldOut: KindScore | null }>();
  for (const { group, text } of readLabelledSet()) {
    const [, batch, made] = /^Made (\d): (.*)$/.exec(group) ?? [];
    const kind = made ?? 'written by hand';
    const score = scores.get(kind) ?? { tuned: { addresses: 0, right: 0 }, heldOut: null };
    scores.set(kind, score);
    if (batch === '2') score.heldOut ??= { addresses: 0, right: 0 };
    const counted = batch === '2' && score.heldOut ? score.heldOut : score.tuned;
    counted.addresses++;
    if (!missed.has(text)) counted.right++;
  }
  return [...scores].map(([kind, score]) => ({ kind, ...score }));
}
