/** A `{{ … }}` or `{% … %}` of a source: from `start` up to, but not including, `end`. */
export interface Span {
  kind: 'output' | 'tag';
  start: number;
  end: number;
  /** The first word of a tag, such as `if`. Empty for an output. */
  name: string;
}

export interface Spans {
  spans: Span[];
  /** Where a `{{` or `{%` begins that is never closed. */
  openAt: number | null;
}

/**
 * Finds everything that is Liquid in a source, in one pass and however badly it is written. It
 * agrees with the parser: quotes inside an output may hold `}}`, and what is raw is not Liquid.
 */
export function spansOf(source: string): Spans {
  const spans: Span[] = [];
  let at = 0;
  while (true) {
    const start = nextOpening(source, at);
    if (start < 0) return { spans, openAt: null };
    const kind = source[start + 1] === '{' ? 'output' : 'tag';
    const end = kind === 'output' ? endOfOutput(source, start + 2) : endOf(source, '%}', start + 2);
    if (end < 0) return { spans, openAt: start };
    const name = kind === 'tag' ? (/^-?\s*(#|[\w-]+)/.exec(source.slice(start + 2, end))?.[1] ?? '') : '';
    spans.push({ kind, start, end, name });
    at = name === 'raw' || name === 'comment' ? endOfBlock(source, end, name) : end;
  }
}

function nextOpening(source: string, from: number): number {
  for (let at = source.indexOf('{', from); at >= 0; at = source.indexOf('{', at + 1)) {
    const next = source[at + 1];
    if (next === '{' || next === '%') return at;
  }
  return -1;
}

function endOf(source: string, closing: string, from: number): number {
  const at = source.indexOf(closing, from);
  return at < 0 ? -1 : at + closing.length;
}

function endOfOutput(source: string, from: number): number {
  for (let at = from; at < source.length; at++) {
    const char = source[at];
    if (char === '}' && source[at + 1] === '}') return at + 2;
    if (char !== '"' && char !== "'") continue;
    const closing = closingQuote(source, at, char);
    if (closing < 0) return -1;
    at = closing;
  }
  return -1;
}

function closingQuote(source: string, from: number, quote: string): number {
  for (let at = from + 1; at < source.length; at++) {
    if (source[at] === '\\') at++;
    else if (source[at] === quote) return at;
  }
  return -1;
}

/** Where `{% endraw %}` begins. Without one, the parser says that it is missing. */
function endOfBlock(source: string, from: number, name: string): number {
  const closing = new RegExp(`\\{%-?\\s*end${name}\\b`, 'g');
  closing.lastIndex = from;
  return closing.exec(source)?.index ?? source.length;
}

/**
 * The source with everything Liquid replaced by as many characters that mean nothing in HTML, so
 * that every offset stays what it was.
 */
export function masked(source: string, spans: readonly Span[]): string {
  let result = '';
  let at = 0;
  for (const { start, end } of spans) {
    result += source.slice(at, start) + '\uE000'.repeat(end - start);
    at = end;
  }
  return result + source.slice(at);
}
