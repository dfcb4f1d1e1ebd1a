import type { CompiledTemplate, TemplateSource } from '#features/templates/rules/compile.ts';
import { gmailClipsAt, type WarningKey, warningsOf } from '#features/templates/rules/warnings.ts';
import { formatDecimal } from '#platform/shared/words.ts';
import type { CampaignCheck } from '../contract.ts';

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
    ...{ key: 'subject', title: 'Subject', of: ['shouting_subject'] },
    fix: 'Edit the subject.',
    pass: 'No capitals and no rows of marks.',
  },
  {
    ...{ key: 'merge_fields', title: 'Merge fields', of: ['unknown_field', 'mailchimp_tag'] },
    fix: 'Edit the content.',
    pass: 'All are known.',
  },
  {
    ...{ key: 'links', title: 'Links', of: ['insecure_link', 'empty_link'] },
    fix: 'Edit the content.',
    pass: 'None is empty or without encryption.',
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

/** What is to be said of the words of a campaign, each kind with its first findings. */
export function contentChecks(source: TemplateSource, compiled: CompiledTemplate): Check[] {
  const warnings = warningsOf(source, compiled);
  const found = kinds.map(({ of, pass, fix, ...about }): Check => {
    const words = warnings.filter(({ key }) => of.includes(key)).map((warning) => warning.words);
    return words.length === 0
      ? { ...about, result: 'pass', words: pass, fix: null }
      : { ...about, result: 'advice', words: several(words), fix };
  });
  return [filling(compiled), ...found, size(source.html)];
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
