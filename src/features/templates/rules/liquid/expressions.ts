import { type PropertyAccessToken, type Token, TypeGuards, type Value } from 'liquidjs';
import { nearestIn } from '../nearest.ts';
import type { Fault } from '../problem.ts';
import { type FieldUse, isForbidden } from './fields.ts';
import { type FilterName, needed } from './filter-names.ts';
import { filterNamed } from './filters.ts';
import { limits } from './limits.ts';
import type { Run } from './run.ts';
import { areEqual, blankValue, emptyValue, hasPart, isTrue, plain, property, rangeOf } from './values.ts';

export type Expression = (run: Run) => unknown;

/** What is gathered while a part is compiled. */
export interface Findings {
  /** Names that the template gives itself somewhere. They are looked up there first. */
  locals: ReadonlySet<string>;
  /** The names of the fields that exist, to say which was meant. */
  known: readonly string[];
  fields: FieldUse[];
  faults: Fault[];
}

const nothing: Expression = () => undefined;

const literals: Record<string, unknown> = {
  true: true,
  false: false,
  nil: null,
  null: null,
  empty: emptyValue,
  blank: blankValue,
};

/** A value with its filters. */
export function expressionOf(value: Value, found: Findings): Expression {
  const tokens = value.initial.postfix;
  if (Math.max(tokens.length, value.filters.length) > limits.steps) return tooLong(tokens, found);
  const before = found.fields.length;
  let expression = operationsOf(tokens, found);
  const field = found.fields[before];
  for (const [index, { name, args }] of value.filters.entries()) {
    const given = args.filter((arg) => arg !== undefined);
    if (given.length < needed(name as FilterName)) {
      const at = tokens[0]?.begin ?? 0;
      found.faults.push({ key: 'syntax', words: `“${name}” needs a value: ${name}: "…"`, at });
      return nothing;
    }
    const first = given[0];
    if (index === 0 && name === 'default' && field && tokens.length === 1 && first && 'content' in first)
      field.fallback = String(first.content);
    expression = filtered(expression, name as FilterName, given, found);
  }
  return expression;
}

/** Each step is a function that calls the one before, and calls can only be so deep. */
function tooLong(tokens: readonly Token[], { faults }: Findings): Expression {
  const words = `This value has more than ${limits.steps} steps.`;
  faults.push({ key: 'too_deep', words, at: tokens[0]?.begin ?? 0 });
  return nothing;
}

type FilterArg = Value['filters'][number]['args'][number];

function filtered(
  input: Expression,
  name: FilterName,
  args: readonly FilterArg[],
  found: Findings,
): Expression {
  const filter = filterNamed(name);
  const values = args.map((arg): Expression => {
    if (!Array.isArray(arg)) return operand(arg, found);
    const [key, token] = arg;
    const option = token ? operand(token, found) : nothing;
    return (run) => [key, option(run)];
  });
  // The filter that nearly every field has, without the way through the library.
  const [fallback, more] = values;
  if (name === 'default' && fallback && !more)
    return (run) => {
      const value = plain(input(run));
      return isTrue(value) && value !== '' && !isEmptyList(value) ? value : plain(fallback(run));
    };
  return (run) =>
    filter(
      run,
      plain(input(run)),
      values.map((value) => plain(value(run))),
    );
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

/** Operands and operators, the operator after what it is applied to. */
function operationsOf(tokens: readonly Token[], found: Findings): Expression {
  const before = found.fields.length;
  const stack: Expression[] = [];
  for (const token of tokens) {
    if (!TypeGuards.isOperatorToken(token)) stack.push(operand(token, found));
    else stack.push(operation(token.operator, stack));
  }
  const [result, extra] = stack;
  if (extra || tokens.length === 0) {
    found.faults.push(strayWords(tokens, found.known));
    // The words are no fields, so nobody needs to be told that nobody has them.
    found.fields.length = before;
  }
  return result ?? nothing;
}

function strayWords(tokens: readonly Token[], known: readonly string[]): Fault {
  const first = tokens[0];
  const last = tokens.at(-1);
  const text = first && last ? first.input.slice(first.begin, last.end) : '';
  const field = nearestIn(known)(text);
  const meant = field ? ` Did you mean “${field}”?` : '';
  const words = text
    ? `“${text}” cannot be read as one field or one condition.${meant}`
    : 'Something is missing here.';
  return { key: 'syntax', words, at: first?.begin ?? 0 };
}

type Operator = (one: unknown, other: unknown) => boolean;

const comparisons: Record<string, Operator> = {
  '==': areEqual,
  '!=': (one, other) => !areEqual(one, other),
  '>': (one, other) => comparable(one) > comparable(other),
  '<': (one, other) => comparable(one) < comparable(other),
  '>=': (one, other) => comparable(one) >= comparable(other),
  '<=': (one, other) => comparable(one) <= comparable(other),
  contains: hasPart,
};

/** Text is compared with text, numbers with numbers; nothing is neither more nor less. */
function comparable(value: unknown): string | number {
  return typeof value === 'string' || typeof value === 'number' ? value : Number.NaN;
}

function operation(operator: string, stack: Expression[]): Expression {
  const right = stack.pop() ?? nothing;
  if (operator === 'not') return (run) => !isTrue(right(run));
  const left = stack.pop() ?? nothing;
  if (operator === 'and') return (run) => isTrue(left(run)) && isTrue(right(run));
  if (operator === 'or') return (run) => isTrue(left(run)) || isTrue(right(run));
  const compare = comparisons[operator];
  if (!compare) throw new RangeError(`There is no operator ${operator}.`);
  return (run) => compare(left(run), right(run));
}

/** One name, number, text or range. */
export function operand(token: Token, found: Findings): Expression {
  if (TypeGuards.isPropertyAccessToken(token)) return path(token, found);
  if (TypeGuards.isRangeToken(token)) {
    const from = operand(token.lhs, found);
    const to = operand(token.rhs, found);
    return (run) => {
      const range = rangeOf(from(run), to(run));
      run.spend(range.length);
      return range;
    };
  }
  const value = TypeGuards.isLiteralToken(token)
    ? literals[token.literal]
    : (token as { content?: unknown }).content;
  return () => value;
}

function path(token: PropertyAccessToken, found: Findings): Expression {
  if (token.props.length > limits.steps) return tooLong([token], found);
  const [root, ...rest] = token.props;
  if (token.variable || !root || !('content' in root)) {
    const start = token.variable ? operand(token.variable, found) : nothing;
    return steps(start, token.props, found);
  }
  const name = String(root.content);
  noteField(token, name, found);
  const start: Expression = found.locals.has(name)
    ? ({ locals, data }) => (name in locals ? locals[name] : own(data, name))
    : ({ data }) => own(data, name);
  return rest.length > 0 ? steps(start, rest, found) : start;
}

function own(data: Run['data'], name: string): unknown {
  if (!Object.hasOwn(data, name)) return undefined;
  const value = data[name];
  return typeof value === 'function' ? undefined : value;
}

function steps(start: Expression, props: readonly Token[], found: Findings): Expression {
  return props.reduce<Expression>((of, prop) => {
    const key = 'content' in prop ? () => prop.content : operand(prop, found);
    return (run) => property(of(run), key(run));
  }, start);
}

function noteField(token: PropertyAccessToken, root: string, found: Findings): void {
  const names = token.props.map((prop) => ('content' in prop ? String(prop.content) : '…'));
  const bad = names.find(isForbidden);
  if (bad !== undefined) {
    const words = `“${bad}” is not a field: templates cannot reach the inside of the program.`;
    found.faults.push({ key: 'forbidden_field', words, at: token.begin });
  } else if (!found.locals.has(root) && root !== 'forloop') {
    found.fields.push({ name: names.join('.'), root, at: token.begin, fallback: null });
  }
}
