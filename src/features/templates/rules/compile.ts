import { grouping, type Insertion } from './addresses.ts';
import type { Findings } from './liquid/expressions.ts';
import type { FieldUse } from './liquid/fields.ts';
import { type Parsed, parse } from './liquid/parse.ts';
import { type Compilation, joined, piecesOf } from './liquid/program.ts';
import { FillError, type LinkMaker, type MergeData, Run } from './liquid/run.ts';
import { masked, type Span } from './liquid/spans.ts';
import { nearestIn } from './nearest.ts';
import { preheaderFilling } from './preheader.ts';
import { type Problem, placesIn, type TemplatePart, templateParts } from './problem.ts';
import { type Slots, slotsOf, textSlotsOf } from './slots.ts';
import { isTagField } from './tag-fields.ts';

export type TemplateSource = Readonly<Record<TemplatePart, string>>;

/** A merge field where a template uses it. */
export interface MergeField {
  name: string;
  part: TemplatePart;
  line: number;
  column: number;
  /** What a contact without a value gets, if the template says so. */
  fallback: string | null;
  /** A field that nobody has renders empty. */
  isKnown: boolean;
  /** The known field with nearly the same name. */
  meant: string | null;
}

/** A link of the HTML or of the text part, in the order of `LinkMaker`'s index. */
export interface TemplateLink {
  part: TemplatePart;
  index: number;
  /** The address as the template writes it, with its Liquid. */
  url: string;
  line: number;
  column: number;
}

export interface CompiledTemplate {
  /** With a problem the template cannot be filled. */
  problems: Problem[];
  fields: MergeField[];
  links: TemplateLink[];
  /** Whether the message shows its own subject or preheader. */
  namesOwnWords: boolean;
  programs: Readonly<Record<TemplatePart, (run: Run) => string>>;
}

/** Fields of the message itself, which `fill` knows. */
const ownWords = ['subject', 'preheader'];

/**
 * Reads a template once. `known` are the names of the fields that exist; without them all names are
 * taken as known.
 */
export function compileTemplate(source: TemplateSource, known?: readonly string[]): CompiledTemplate {
  const parts = templateParts.map((part) => compilePart(part, source, known));
  const fields = parts.flatMap(({ fields }) => fields);
  const programs = Object.fromEntries(parts.map(({ part, program }) => [part, program]));
  return {
    problems: parts.flatMap(({ problems }) => problems),
    fields,
    namesOwnWords: fields.some(({ name }) => ownWords.includes(name)),
    links: parts.flatMap(({ links }) => links),
    programs: programs as CompiledTemplate['programs'],
  };
}

/**
 * The parts for one recipient. Absent data render empty. `link` may give each link another address:
 * it gets the address for this recipient and the link's index in its part.
 */
export function fill(
  { problems, programs, namesOwnWords }: CompiledTemplate,
  data: MergeData,
  link?: (part: TemplatePart, url: string, index: number) => string,
): Record<TemplatePart, string> {
  if (problems[0]) throw new FillError(problems[0].words);
  const linkOf = (part: TemplatePart): LinkMaker | undefined =>
    link && ((url, index) => link(part, url, index));
  const subject = oneLine(programs.subject(new Run(data)));
  const preheader = oneLine(programs.preheader(new Run(data)));
  const all = namesOwnWords ? { ...data, subject, preheader: preheader || null } : data;
  return {
    subject,
    preheader,
    html: programs.html(new Run(all, linkOf('html'))),
    text: programs.text(new Run(all, linkOf('text'))).trim(),
  };
}

/**
 * The subject alone for one recipient, and the work that it took. Throws FillError when that is
 * more than `most`, or when the template has a problem.
 */
export function fillSubject(
  { problems, programs }: CompiledTemplate,
  data: MergeData,
  most: number,
): { subject: string; work: number } {
  if (problems[0]) throw new FillError(problems[0].words);
  const run = new Run(data, undefined, most);
  return { subject: oneLine(programs.subject(run)), work: most - run.left };
}

/** A line break in a contact's name would begin another header of the mail. */
function oneLine(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, ' ').trim();
}

interface CompiledPart {
  part: TemplatePart;
  program: (run: Run) => string;
  problems: Problem[];
  fields: MergeField[];
  links: TemplateLink[];
}

function compilePart(part: TemplatePart, sources: TemplateSource, known?: readonly string[]): CompiledPart {
  const source = sources[part];
  const parsed = parse(source, known ?? []);
  const findings = findingsOf(parsed, known);
  const hidden = masked(source, parsed.spans);
  const html = part === 'html' ? slotsOf(parsed.faults.length > 0 ? '' : hidden) : null;
  const slots = html?.slots ?? (part === 'text' ? textSlotsOf(hidden, parsed.spans) : []);
  if (html) findings.faults.push(...unquotedIn(html, parsed.spans, source));
  const links = slots.filter(({ kind, start, end }) => kind === 'link' && end > start);
  const insertion = html
    ? preheaderIn(html, sources.preheader, showsPreheader(parsed, source), known)
    : undefined;
  const cuts = slots.flatMap(({ start, end }) => [start, end]);
  if (insertion) cuts.push(insertion.at);
  const placeOf = placesIn(source);
  const nearest = nearestIn((known ?? []).filter((name) => !isTagField(name)));
  const program = joined(
    piecesOf(parsed.templates, {
      ...findings,
      source,
      isHtml: html !== null,
      cuts: [...new Set(cuts)].sort((one, other) => one - other),
      group: grouping(slots, links, html !== null, insertion),
    }),
  );
  return {
    part,
    program,
    problems: findings.faults.map(({ at, ...fault }) => ({ ...fault, part, ...placeOf(at) })),
    fields: findings.fields.map((field) => ({
      part,
      ...placeOf(field.at),
      ...mergeField(field, known, nearest),
    })),
    links: links.map(({ start, end }, index) => {
      return { part, index, url: source.slice(start, end), ...placeOf(start) };
    }),
  };
}

function findingsOf(parsed: Parsed, known: readonly string[] = []): Findings {
  return { locals: localsOf(parsed), known, fields: [], faults: [...parsed.faults] };
}

function showsPreheader({ spans }: Parsed, source: string): boolean {
  return spans.some(({ start, end }) => /\bpreheader\b/.test(source.slice(start, end)));
}

/**
 * The preheader as the first, hidden words of the message. Mail programs show it beside the
 * subject. A message that shows it itself, as those from Mailchimp do, gets it only once.
 */
function preheaderIn(
  { bodyStart }: Slots,
  source: string,
  showsIt: boolean,
  known?: readonly string[],
): Insertion | undefined {
  if (source.trim() === '' || showsIt) return undefined;
  const parsed = parse(source, known ?? []);
  const group = grouping([], [], true);
  const compilation: Compilation = { ...findingsOf(parsed, known), source, isHtml: true, cuts: [], group };
  const words = joined(piecesOf(parsed.templates, compilation));
  const hidden = 'display:none;max-height:0;overflow:hidden;mso-hide:all';
  const before = `<div style="${hidden}">`;
  const after = `${preheaderFilling}</div>`;
  return { at: bodyStart ?? 0, piece: (run) => before + words(run) + after };
}

function mergeField(
  { name, root, fallback }: FieldUse,
  known: readonly string[] | undefined,
  nearest: (name: string) => string | null,
) {
  const isTag = isTagField(name);
  const isKnown = !known || known.includes(isTag ? name : root) || ownWords.includes(root);
  const meant = isKnown || isTag ? null : nearest(name);
  return { name, fallback, isKnown, meant };
}

/** Every name that the template gives itself. */
function localsOf({ templates }: Parsed): Set<string> {
  const names = new Set<string>();
  const visit = (list: Parsed['templates']): void => {
    for (const template of list) {
      for (const name of template.localScope?.() ?? [])
        names.add(typeof name === 'string' ? name : name.content);
      for (const name of template.blockScope?.() ?? []) names.add(name);
      const children = template.children?.(false, true).next().value;
      if (Array.isArray(children)) visit(children);
    }
  };
  visit(templates);
  return names;
}

/** Values without quotes around them could add attributes to the tag. */
function unquotedIn({ tags, quoted }: Slots, spans: readonly Span[], source: string) {
  return spans
    .filter((span) => span.kind === 'output' && isInside(span, tags) && !isInside(span, quoted))
    .map(({ start, end }) => {
      const text = source.slice(start, end);
      const words = `Put quotes around ${text}: inside a tag, a value may only stand between quotes.`;
      return { key: 'unquoted' as const, words, at: start };
    });
}

/** Whether a range lies in one of the sorted ranges. */
function isInside({ start, end }: { start: number; end: number }, ranges: Slots['tags']): boolean {
  let low = 0;
  let high = ranges.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ranges[middle]?.end ?? 0) < end) low = middle + 1;
    else high = middle;
  }
  const range = ranges[low];
  return range !== undefined && range.start <= start && end <= range.end;
}
