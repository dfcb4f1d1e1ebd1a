import type { Template } from 'liquidjs';
import { formatNumber } from '#platform/shared/words.ts';
import { nearestIn } from '../nearest.ts';
import type { Fault } from '../problem.ts';
import { fileTags, parser, tagNames } from './engine.ts';
import { filterNames } from './filter-names.ts';
import { limits } from './limits.ts';
import { type Span, type Spans, spansOf } from './spans.ts';

export interface Parsed {
  spans: Span[];
  templates: Template[];
  faults: Fault[];
}

const blocks = ['if', 'unless', 'case', 'for', 'capture', 'comment', 'raw'];
const insideBlocks: Record<string, string> = { else: 'if', elsif: 'if', when: 'case' };

/** Reads a source. With faults there are no templates. Nothing is run. */
export function parse(source: string, known: readonly string[]): Parsed {
  if (source.length > limits.source) return refused('too_long', tooLong, 0);
  const found = spansOf(source);
  const fault = faultOfShape(source, found);
  if (fault) return { spans: found.spans, templates: [], faults: [fault] };
  try {
    return { spans: found.spans, templates: parser().parse(source), faults: [] };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const errors = 'errors' in error ? error.errors : [error];
    return { spans: found.spans, templates: [], faults: worded(errors as LibraryError[], source, known) };
  }
}

const tooLong = `This is longer than ${formatNumber(limits.source / 1000)} kB.`;

function refused(key: Fault['key'], words: string, at: number): Parsed {
  return { spans: [], templates: [], faults: [{ key, words, at }] };
}

/** What is refused before the parser sees it, because the parser would take too long over it. */
function faultOfShape(source: string, { spans, openAt }: Spans): Fault | null {
  if (openAt !== null) {
    const [open, close] = source[openAt + 1] === '{' ? ['{{', '}}'] : ['{%', '%}'];
    const text = source.slice(openAt, openAt + 40).split('\n')[0];
    return { key: 'not_closed', words: `“${text}” is never closed: ${open} needs ${close}.`, at: openAt };
  }
  if (spans.length > limits.tags) {
    const most = formatNumber(limits.tags);
    return {
      key: 'too_many_tags',
      words: `There are more than ${most} {{ … }} and {% … %}.`,
      at: spans[limits.tags]?.start ?? 0,
    };
  }
  const deep = tooDeep(spans);
  if (!deep) return null;
  return {
    key: 'too_deep',
    words: `More than ${limits.depth} blocks stand inside each other here.`,
    at: deep.start,
  };
}

function tooDeep(spans: readonly Span[]): Span | undefined {
  let depth = 0;
  return spans.find(({ name }) => {
    if (blocks.includes(name)) depth++;
    else if (name.startsWith('end')) depth--;
    return depth > limits.depth;
  });
}

/** An error of the library: its own message without the place, and the token it is about. */
interface LibraryError extends Error {
  originalError?: Error;
  token?: { begin: number; end: number };
}

function worded(errors: readonly LibraryError[], source: string, known: readonly string[]): Fault[] {
  const faults: Fault[] = [];
  for (const error of errors) {
    const message = (error.originalError?.message ?? error.message).replace(/, line:\d+, col:\d+$/, '');
    const stray = /^tag "(\w+)" not found$/.exec(message)?.[1];
    // A block that could not be read leaves its end behind.
    if (faults.length > 0 && stray && (stray.startsWith('end') || stray in insideBlocks)) continue;
    faults.push({ ...wordsFor(message, error, source, known), at: error.token?.begin ?? 0 });
  }
  return faults;
}

function wordsFor(
  message: string,
  { token }: LibraryError,
  source: string,
  known: readonly string[],
): Omit<Fault, 'at'> {
  const tag = /^tag "([^"]*)" not found$/.exec(message)?.[1];
  if (tag !== undefined) return unknownTag(tag);
  const filter = /^undefined filter: (.*)$/.exec(message)?.[1];
  if (filter !== undefined) {
    const words = `There is no filter “${filter}”.${meant(nearestIn(filterNames)(filter))}`;
    return { key: 'unknown_filter', words };
  }
  const open = /^tag (\{%[\s\S]*%\}) not closed$/.exec(message)?.[1];
  if (open !== undefined) {
    const name = /\w+/.exec(open)?.[0] ?? '';
    return { key: 'not_closed', words: `“${open}” is never closed: add {% end${name} %}.` };
  }
  if (message.startsWith('raw '))
    return { key: 'not_closed', words: '{% raw %} is never closed: add {% endraw %}.' };
  return unreadable(token, source, known);
}

function unknownTag(name: string): Omit<Fault, 'at'> {
  if (fileTags.includes(name))
    return { key: 'unknown_tag', words: `Templates cannot include other files: remove {% ${name} %}.` };
  const opening = name.startsWith('end') ? name.slice(3) : insideBlocks[name];
  if (opening !== undefined && blocks.includes(opening))
    return { key: 'not_opened', words: `There is no {% ${opening} %} before this {% ${name} %}.` };
  return { key: 'unknown_tag', words: `There is no tag “${name}”.${meant(nearestIn(tagNames)(name))}` };
}

function unreadable(
  token: LibraryError['token'],
  source: string,
  known: readonly string[],
): Omit<Fault, 'at'> {
  const around = spansOf(source).spans.find(
    ({ start, end }) => token !== undefined && start <= token.begin && token.begin < end,
  );
  if (!around) return { key: 'syntax', words: 'This cannot be read.' };
  const text = source.slice(around.start, around.end);
  const name = around.kind === 'output' ? text.slice(2, -2).trim() : '';
  const field = nearestIn(known)(name);
  return { key: 'syntax', words: `“${text}” cannot be read.${meant(field && `{{ ${field} }}`)}` };
}

function meant(name: string | null): string {
  return name ? ` Did you mean “${name}”?` : '';
}
