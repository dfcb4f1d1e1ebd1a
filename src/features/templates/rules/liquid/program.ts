import {
  AssignTag,
  BreakTag,
  CaptureTag,
  CaseTag,
  CommentTag,
  ContinueTag,
  ForTag,
  IfTag,
  Output,
  RawTag,
  type Template,
  type Token,
  TypeGuards,
  UnlessTag,
} from 'liquidjs';
import { LineComment } from './engine.ts';
import { type Expression, expressionOf, type Findings, operand } from './expressions.ts';
import { limits } from './limits.ts';
import type { Run } from './run.ts';
import { areEqual, escapeHtml, htmlOf, isTrue, itemsOf, Markup, textOf } from './values.ts';

/** A piece of a part: text as it stands, or what it becomes for a recipient. */
export type Piece = string | ((run: Run) => string);

/** How a source becomes pieces. */
export interface Compilation extends Findings {
  source: string;
  /** Whether values are written into HTML. */
  isHtml: boolean;
  /** Gives the pieces between two offsets a meaning of their own, such as a link's address. */
  group: (atoms: Atom[]) => Piece[];
  /** Offsets at which plain text is parted, in order. */
  cuts: readonly number[];
}

/** A piece with its place. Text that is parted has several. */
export interface Atom {
  piece: Piece;
  begin: number;
  isText: boolean;
}

export function piecesOf(templates: readonly Template[], compilation: Compilation): Piece[] {
  return compilation.group(templates.flatMap((template) => atomsOf(template, compilation)));
}

function atomsOf(template: Template, compilation: Compilation): Atom[] {
  const { token } = template;
  if (TypeGuards.isHTMLToken(token)) {
    const begin = token.begin + token.trimLeft;
    return parted(begin, token.end - token.trimRight, compilation);
  }
  return [{ piece: pieceOf(template, compilation), begin: token.begin, isText: false }];
}

/** Text from `begin` to `end`, parted where the source has a cut. */
function parted(begin: number, end: number, { source, cuts }: Compilation): Atom[] {
  const atoms: Atom[] = [];
  let from = begin;
  for (let next = firstAfter(cuts, begin); from < end; next++) {
    const to = Math.min(cuts[next] ?? end, end);
    atoms.push({ piece: source.slice(from, to), begin: from, isText: true });
    from = to;
  }
  return atoms;
}

/** The index of the first of the sorted numbers that is above `least`. */
function firstAfter(sorted: readonly number[], least: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? 0) > least) high = middle;
    else low = middle + 1;
  }
  return low;
}

function pieceOf(template: Template, compilation: Compilation): Piece {
  if (template instanceof Output) return outputOf(template, compilation);
  if (template instanceof IfTag) return ifOf(template, compilation);
  if (template instanceof UnlessTag) return unlessOf(template, compilation);
  if (template instanceof CaseTag) return caseOf(template, compilation);
  if (template instanceof ForTag) return forOf(template, compilation);
  if (template instanceof AssignTag) return assignOf(template, compilation);
  if (template instanceof CaptureTag) return captureOf(template, compilation);
  if (template instanceof RawTag) return rawOf(template);
  if (template instanceof BreakTag) return jumpOf('break');
  if (template instanceof ContinueTag) return jumpOf('continue');
  if (template instanceof CommentTag || template instanceof LineComment) return '';
  throw new RangeError(`There is no tag ${template.token.getText()}.`);
}

/** The pieces as one function. Texts that stand beside each other are one. */
export function joined(pieces: readonly Piece[]): (run: Run) => string {
  const merged: Piece[] = [];
  for (const piece of pieces) {
    const last = merged.at(-1);
    if (typeof piece === 'string' && typeof last === 'string') merged[merged.length - 1] = last + piece;
    else if (piece !== '') merged.push(piece);
  }
  return (run) => {
    let text = '';
    for (const piece of merged) {
      if (typeof piece === 'string') {
        text += piece;
        continue;
      }
      text += piece(run);
      if (run.jump) return text;
    }
    return text;
  };
}

function block(templates: readonly Template[] | undefined, compilation: Compilation) {
  return joined(piecesOf(templates ?? [], compilation));
}

function outputOf({ value }: Output, compilation: Compilation): Piece {
  const write = writerFor(value.filters.at(-1)?.name, compilation.isHtml);
  const expression = expressionOf(value, compilation);
  return (run) => {
    const text = write(expression(run));
    run.spend(text.length);
    return text;
  };
}

function writerFor(last: string | undefined, isHtml: boolean): (value: unknown) => string {
  // These two have made HTML of it already.
  if (!isHtml || last === 'escape' || last === 'escape_once') return textOf;
  if (last === 'newline_to_br')
    return (value) => escapeHtml(textOf(value)).replaceAll('&lt;br /&gt;', '<br />');
  return htmlOf;
}

interface Branch {
  test: Expression;
  body: (run: Run) => string;
}

function firstTrue(branches: readonly Branch[], otherwise: (run: Run) => string): Piece {
  return (run) => {
    for (const { test, body } of branches) if (isTrue(test(run))) return body(run);
    return otherwise(run);
  };
}

function ifOf(tag: IfTag, compilation: Compilation): Piece {
  const branches = tag.branches.map(({ value, templates }) => ({
    test: expressionOf(value, compilation),
    body: block(templates, compilation),
  }));
  return firstTrue(branches, block(tag.elseTemplates, compilation));
}

function unlessOf(tag: UnlessTag, compilation: Compilation): Piece {
  const branches = tag.branches.map(({ value, templates }, index) => {
    const condition = expressionOf(value, compilation);
    const test: Expression = index === 0 ? (run) => !isTrue(condition(run)) : condition;
    return { test, body: block(templates, compilation) };
  });
  return firstTrue(branches, block(tag.elseTemplates, compilation));
}

function caseOf(tag: CaseTag, compilation: Compilation): Piece {
  const target = expressionOf(tag.value, compilation);
  const branches = tag.branches.map(({ values, templates }) => ({
    values: values.map((value) => operand(value, compilation)),
    body: block(templates, compilation),
  }));
  const otherwise = block(tag.elseTemplates, compilation);
  return (run) => {
    const wanted = target(run);
    const hit = branches.filter(({ values }) => values.some((value) => areEqual(wanted, value(run))));
    return hit.length > 0 ? hit.map(({ body }) => body(run)).join('') : otherwise(run);
  };
}

function forOf(tag: ForTag, compilation: Compilation): Piece {
  const items = loopItems(tag, compilation);
  const body = block(tag.templates, compilation);
  const otherwise = block(tag.elseTemplates, compilation);
  const { variable } = tag;
  return (run) => {
    const all = items(run);
    if (all.length === 0) return otherwise(run);
    const outer = { [variable]: run.locals[variable], forloop: run.locals.forloop };
    const had = variable in run.locals;
    const text = repeat(run, all, variable, body);
    Object.assign(run.locals, outer);
    if (!had) delete run.locals[variable];
    return text;
  };
}

function repeat(run: Run, items: unknown[], variable: string, body: (run: Run) => string): string {
  let text = '';
  for (const [index, item] of items.entries()) {
    run.locals[variable] = item;
    run.locals.forloop = loopState(index, items.length);
    const turn = body(run);
    run.spend(limits.turn + turn.length);
    text += turn;
    const { jump } = run;
    run.jump = null;
    if (jump === 'break') break;
  }
  return text;
}

function loopState(index: number, length: number): Record<string, unknown> {
  return {
    index: index + 1,
    index0: index,
    rindex: length - index,
    rindex0: length - index - 1,
    first: index === 0,
    last: index === length - 1,
    length,
  };
}

function loopItems({ collection, hash: { hash } }: ForTag, compilation: Compilation) {
  const all = operand(collection as Token, compilation);
  const offset = hash.offset ? operand(hash.offset, compilation) : undefined;
  const limit = hash.limit ? operand(hash.limit, compilation) : undefined;
  return (run: Run): unknown[] => {
    let items = itemsOf(all(run));
    if (offset) items = items.slice(Number(offset(run)) || 0);
    if (limit) items = items.slice(0, Number(limit(run)) || 0);
    return 'reversed' in hash ? items.toReversed() : items;
  };
}

function assignOf(tag: AssignTag, compilation: Compilation): Piece {
  const { key, value } = tag as unknown as { key: string; value: Parameters<typeof expressionOf>[0] };
  const expression = expressionOf(value, compilation);
  return (run) => {
    run.locals[key] = expression(run);
    return '';
  };
}

function captureOf({ variable, templates }: CaptureTag, compilation: Compilation): Piece {
  const body = block(templates, compilation);
  return (run) => {
    const text = body(run);
    run.spend(text.length);
    run.locals[variable] = compilation.isHtml ? new Markup(text) : text;
    return '';
  };
}

function rawOf(tag: RawTag): Piece {
  const { tokens } = tag as unknown as { tokens: Token[] };
  return tokens.map((token) => token.getText()).join('');
}

function jumpOf(kind: 'break' | 'continue'): Piece {
  return (run) => {
    run.jump = kind;
    return '';
  };
}
