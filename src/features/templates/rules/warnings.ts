import { formatDecimal } from '#platform/shared/words.ts';
import type { CompiledTemplate, MergeField, TemplateSource } from './compile.ts';
import { placeholders } from './document/placeholders.ts';
import { findingsIn, type HtmlFinding } from './html/findings.ts';
import { textFromHtml } from './html/text.ts';
import { hasLeavingLink } from './leaving-link.ts';
import { masked, spansOf } from './liquid/spans.ts';
import { fromMailchimp } from './mailchimp.ts';
import { placesIn, type TemplatePart, templateParts } from './problem.ts';
import { deletedTagWords, isTagField } from './tag-fields.ts';

export const warningKeys = [
  'no_unsubscribe_link',
  'no_postal_address',
  'unknown_field',
  'image_without_alt',
  'heavy_image',
  'too_large',
  'low_contrast',
  'insecure_link',
  'empty_link',
  'broken_link',
  'placeholder_text',
  'shouting_subject',
  'mailchimp_tag',
] as const;

export type WarningKey = (typeof warningKeys)[number];

/** Something a careful sender would look at again. The template can still be sent. */
export interface TemplateWarning {
  key: WarningKey;
  /** A sentence for the person who writes the template. */
  words: string;
  part: TemplatePart;
  /** From 1. Null where it is about the whole part. */
  line: number | null;
  column: number | null;
}

/** Bytes of HTML after which Gmail cuts a message off. */
export const gmailClipsAt = 102 * 1024;

/** More of one kind would hide the others. */
const mostOfAKind = 20;

export function warningsOf(source: TemplateSource, compiled: CompiledTemplate): TemplateWarning[] {
  const spans = spansOf(source.html).spans;
  const findings = findingsIn(masked(source.html, spans));
  const placeOf = placesIn(source.html);
  const warnings = [
    ...footerWarnings(source, compiled),
    ...unknownFields(compiled),
    ...findings.map(({ at, ...finding }): TemplateWarning => ({ ...finding, part: 'html', ...placeOf(at) })),
    ...sizeWarnings(source.html),
    ...templateParts.flatMap((part) => placeholderText(source, part)),
    ...shouting(source.subject),
    ...templateParts.flatMap((part) => leftTags(source, part)),
  ];
  const seen = new Map<WarningKey, number>();
  return warnings.filter(({ key }) => {
    seen.set(key, (seen.get(key) ?? 0) + 1);
    return (seen.get(key) ?? 0) <= mostOfAKind;
  });
}

function placed(
  source: TemplateSource,
  part: TemplatePart,
  { key, words, at }: Omit<HtmlFinding, 'key'> & { key: WarningKey },
): TemplateWarning {
  return { key, words, part, ...placesIn(source[part])(at) };
}

function whole(key: WarningKey, part: TemplatePart, words: string): TemplateWarning {
  return { key, words, part, line: null, column: null };
}

/** A postcode, as the United Kingdom writes it. */
const postcode = /\b(GIR ?0AA|[A-PR-UWYZ][A-HK-Y]?\d[A-Z\d]? ?\d[ABD-HJLNP-UW-Z]{2})\b/i;

/** What the law asks of a marketing mail, and what mail programs look for. */
function footerWarnings({ html }: TemplateSource, { fields }: CompiledTemplate): TemplateWarning[] {
  if (html.trim() === '') return [];
  const warnings: TemplateWarning[] = [];
  if (!hasLeavingLink(html))
    warnings.push(
      whole(
        'no_unsubscribe_link',
        'html',
        'There is no unsubscribe link. Link to {{ unsubscribe_link }} in the footer.',
      ),
    );
  const isNamed = fields.some(({ part, name }) => part === 'html' && name === 'company_address');
  if (!isNamed && !postcode.test(textFromHtml(html)))
    warnings.push(
      whole(
        'no_postal_address',
        'html',
        'There is no postal address. Put {{ company_address }} in the footer.',
      ),
    );
  return warnings;
}

export function unknownFields({ fields }: CompiledTemplate): TemplateWarning[] {
  return fields
    .filter(({ isKnown }) => !isKnown)
    .map(({ part, line, column, ...field }) => ({
      ...{ key: 'unknown_field', words: unknownWords(field) },
      ...{ part, line, column },
    }));
}

function unknownWords({ name, meant, fallback }: Pick<MergeField, 'name' | 'meant' | 'fallback'>): string {
  if (isTagField(name)) return deletedTagWords;
  const instead = fallback ? `Everybody gets “${fallback}”.` : 'It stays empty.';
  return `No contact has the field “${name}”. ${meant ? `Did you mean “${meant}”?` : instead}`;
}

function sizeWarnings(html: string): TemplateWarning[] {
  const bytes = new TextEncoder().encode(html).length;
  if (bytes <= gmailClipsAt) return [];
  const words = `The HTML has ${formatDecimal(bytes / 1024)} kB. Gmail shows the first 102 and hides the rest, the unsubscribe link too.`;
  return [whole('too_large', 'html', words)];
}

const spaced = (words: string): string => words.replaceAll('.', '\\.').replaceAll(' ', '\\s+');

/** “A heading” may begin a sentence, so it is meant only where an element or a line has no more. */
const alone = (words: string): RegExp =>
  new RegExp(`(>\\s*|^[ \\t]*)${spaced(words)}(?=\\s*<|[ \\t\\r]*$)`, 'im');
const anywhere = (words: string): RegExp => new RegExp(`()${spaced(words)}`, 'i');

/** Filler text, and what new blocks say. The first group is what stands before it. */
const leftIn: readonly { words: string; found: RegExp }[] = [
  ...['Lorem ipsum', placeholders.text].map((words) => ({ words, found: anywhere(words) })),
  ...[placeholders.heading, placeholders.product].map((words) => ({ words, found: alone(words) })),
];

function placeholderText(source: TemplateSource, part: TemplatePart): TemplateWarning[] {
  return leftIn.flatMap(({ words, found }) => {
    const match = found.exec(source[part]);
    if (!match) return [];
    const at = match.index + (match[1] ?? '').length;
    return [placed(source, part, { key: 'placeholder_text', words: `“${words}” was left in.`, at })];
  });
}

export function shouting(subject: string): TemplateWarning[] {
  const words = masked(subject, spansOf(subject).spans).replace(/\uE000+/g, ' ');
  const letters = words.replace(/[^\p{L}]/gu, '');
  const capitals = letters.replace(/[^\p{Lu}]/gu, '');
  const isLoud = letters.length >= 8 && capitals.length > letters.length * 0.6;
  if (isLoud)
    return [
      whole(
        'shouting_subject',
        'subject',
        'The subject is written in capitals. Spam filters and people dislike that.',
      ),
    ];
  if (!/[!?]{2,}/.test(words)) return [];
  return [whole('shouting_subject', 'subject', 'One mark is enough: several in a row look like spam.')];
}

function leftTags(source: TemplateSource, part: TemplatePart): TemplateWarning[] {
  const { left, turned } = fromMailchimp(source[part]);
  const tags = turned > 0 ? [...left, ...turnable(source[part])] : left;
  return tags.map(({ tag, line, words }) => {
    return { key: 'mailchimp_tag', words: `Readers would see ${tag}. ${words}`, part, line, column: null };
  });
}

/** Tags that an import would have turned, and that were typed instead. */
function turnable(source: string): { tag: string; line: number; words: string }[] {
  const at = source.search(/\*\|/);
  const tag = /^\*\|[^|\r\n]*\|\*/.exec(source.slice(at))?.[0];
  return tag
    ? [
        {
          tag,
          line: placesIn(source)(at).line,
          words: 'It is Mailchimp’s: import the HTML to turn such tags.',
        },
      ]
    : [];
}
