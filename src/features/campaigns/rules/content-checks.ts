import type { CompiledTemplate, TemplateSource } from '#features/templates/rules/compile.ts';
import { gmailClipsAt, type WarningKey, warningsOf } from '#features/templates/rules/warnings.ts';
import { formatDecimal } from '#platform/shared/words.ts';
import type { CampaignCheck } from '../contract.ts';
import { type SpamHabit, spamHabits } from './spam-habits.ts';

type Check = CampaignCheck['checks'][number];

interface Kind {
  key: string;
  title: string;
  /** What is found in the content about it. */
  of: readonly WarningKey[];
  fix: string;
  pass: string;
}

const kinds: readonly Kind[] = [
  {
    ...{ key: 'merge_fields', title: 'Merge fields', of: ['unknown_field', 'mailchimp_tag'] },
    fix: 'Edit the content.',
    pass: 'All are known.',
  },
  {
    ...{ key: 'links', title: 'Links', of: ['insecure_link', 'empty_link', 'broken_link'] },
    fix: 'Edit the content.',
    pass: 'As written, none is empty, incomplete or without encryption.',
  },
  {
    ...{ key: 'images', title: 'Images', of: ['image_without_alt', 'heavy_image'] },
    fix: 'Edit the content.',
    pass: 'Each has words for people who do not see it.',
  },
  {
    ...{ key: 'wording', title: 'Wording and colours', of: ['placeholder_text', 'low_contrast'] },
    fix: 'Edit the content.',
    pass: 'Nothing was left in, and all of it can be read.',
  },
];

/** What a content is judged by. */
export interface ContentAsked {
  /** The text part is one of its own. False: it is made from the HTML. */
  hasOwnText: boolean;
  /** Messages really leave, so the law counts. */
  leaves: boolean;
}

/** What is to be said of the words of a campaign, each kind with its first findings. */
export function contentChecks(
  source: TemplateSource,
  compiled: CompiledTemplate,
  { hasOwnText, leaves }: ContentAsked,
): Check[] {
  const warnings = warningsOf(source, compiled);
  const found = kinds.map(({ of, pass, fix, ...about }): Check => {
    const words = warnings.filter(({ key }) => of.includes(key)).map((warning) => warning.words);
    return words.length === 0
      ? { ...about, result: 'pass', words: pass, fix: null }
      : { ...about, result: 'advice', words: several(words), fix };
  });
  const habits = spamHabits(source);
  return [
    filling(compiled),
    unsubscribing(footerFaults(source, compiled), leaves),
    textPart(source, compiled, hasOwnText),
    subject(habits.filter(({ part }) => part === 'subject')),
    ...found,
    spamHabitsCheck(habits.filter(({ part }) => part === 'html')),
    size(source.html),
  ];
}

/** What the law asks of the HTML of marketing and is not there, in a sentence each. */
const footerFaults = (source: TemplateSource, compiled: CompiledTemplate): string[] =>
  warningsOf(source, compiled)
    .filter(({ key }) => key === 'no_unsubscribe_link' || key === 'no_postal_address')
    .map(({ words }) => words);

function unsubscribing(faults: readonly string[], leaves: boolean): Check {
  const about = { key: 'unsubscribe', title: 'Unsubscribe' } as const;
  if (faults.length === 0)
    return {
      ...{ ...about, result: 'pass', fix: null },
      words: 'One click in the header, and a link in the message.',
    };
  return { ...about, result: leaves ? 'block' : 'advice', words: several(faults), fix: 'Edit the content.' };
}

function textPart({ text }: TemplateSource, { fields }: CompiledTemplate, isOwn: boolean): Check {
  const about = { key: 'text_part', title: 'Text part' } as const;
  const fix = isOwn ? 'Edit the text part.' : 'Write words into the content, or a text part of its own.';
  if (text.trim() === '')
    return { ...{ ...about, result: 'advice', fix }, words: 'It is empty. Some people read nothing else.' };
  const made = isOwn ? 'It is one of its own' : 'It is made from the HTML';
  const leads = fields.some(({ part, name }) => part === 'text' && name === 'unsubscribe_link');
  if (leads) return { ...about, result: 'pass', words: `${made}, with the unsubscribe link.`, fix: null };
  return {
    ...{ ...about, result: 'advice', words: `${made}, and has no unsubscribe link. One is put at its end.` },
    fix: isOwn ? 'Add {{ unsubscribe_link }} to the text part.' : 'Add the link to the content.',
  };
}

function subject(habits: readonly SpamHabit[]): Check {
  const about = { key: 'subject', title: 'Subject' } as const;
  const pass = 'It does not shout, press or pretend.';
  if (habits.length === 0) return { ...about, result: 'pass', words: pass, fix: null };
  const words = several(habits.map((one) => one.words));
  return { ...about, result: 'advice', words, fix: 'Edit the subject.' };
}

function spamHabitsCheck(habits: readonly SpamHabit[]): Check {
  const about = { key: 'spam_habits', title: 'Habits of spam' } as const;
  if (habits.length === 0)
    return { ...about, result: 'pass', words: 'The message does nothing that filters mind.', fix: null };
  const words = several(habits.map((one) => one.words));
  return { ...about, result: 'advice', words, fix: 'Edit the content.' };
}

function filling({ problems }: CompiledTemplate): Check {
  const about = { key: 'content', title: 'Content' } as const;
  const [first] = problems;
  if (!first) return { ...about, result: 'pass', words: 'It can be filled for everybody.', fix: null };
  return { ...about, result: 'block', words: several(problems.map(({ words }) => words)), fix: 'Edit it.' };
}

function size(html: string): Check {
  const bytes = new TextEncoder().encode(html).length;
  const words = `${formatDecimal(bytes / 1024)} of 102 kB.`;
  const about = { key: 'size', title: 'Size' } as const;
  if (bytes <= gmailClipsAt) return { ...about, result: 'pass', words, fix: null };
  return {
    ...{ ...about, result: 'advice', fix: 'Shorten the content.' },
    words: `${words} Gmail hides the rest, the unsubscribe link too.`,
  };
}

/** The first two, and how many there are besides. */
function several(words: readonly string[]): string {
  const different = [...new Set(words)];
  const more = different.length - 2;
  return different.slice(0, 2).join(' ') + (more > 0 ? ` And ${more} more.` : '');
}
