import type { StoredContact } from '#features/contacts/rules.ts';
import { dayIn } from './days.ts';
import { anyOf, type Meaning, noneOf } from './meaning.ts';
import { type FieldType, type Operator, operatorsOf } from './operators.ts';
import { holds, type NumberTest, type Test, type TextTest } from './test.ts';

/** One of those that can be chosen. */
export interface Option {
  value: string;
  label: string;
  /** What “contains” and its like compare. Absent: the value. */
  text?: string;
}

/** Something that segments can ask of contacts. Features contribute them. */
export interface FieldRule {
  /** As it stands in rules. Never changed: stored rules name it. */
  key: string;
  label: string;
  /** The heading that the editor shows it under. */
  group: string;
  type: FieldType;
  operators: readonly Operator[];
  /** In a sentence: "whose domain is acme.co.uk". */
  noun: string;
  /** What a date says: "added in the last 30 days". */
  verb?: string;
  /** Its options stand before "contacts": "active contacts". */
  isAdjective?: true;
  /** All that can be chosen, of a field with a fixed choice. */
  options?: readonly Option[];
  /** So many of its options may be asked for in one segment, where each makes a long statement. */
  mostAsked?: number;
  /** Rules are stored with the values of its options: people give them other names. */
  keepsValues?: true;
  /** Why something that was named is not among its options. */
  whyAbsent?: string;
  /** Turns what somebody typed into what is stored, before both are compared. */
  asStored?(typed: string, is: TextTest['is']): string;
  /** Whom a test means. `chosen` are the options that fit it. */
  meaning(test: Test, chosen: readonly Option[]): Meaning;
  /** What a contact has: the plain reading compares it. Empty when it has nothing. */
  has?(contact: StoredContact): readonly string[];
}

type Naming = Pick<FieldRule, 'key' | 'label' | 'group'> &
  Partial<
    Pick<
      FieldRule,
      'operators' | 'noun' | 'verb' | 'isAdjective' | 'mostAsked' | 'whyAbsent' | 'asStored' | 'has'
    >
  >;

const named = (type: FieldType, naming: Naming) => ({
  operators: operatorsOf[type],
  noun: naming.label.toLowerCase(),
  ...naming,
  type,
});

/** A text, compared by the condition that `leaf` names. */
export const textField = (naming: Naming, leaf: (test: Test) => Meaning): FieldRule => ({
  ...named('text', naming),
  meaning: leaf,
});

/**
 * A choice. `leaf` is the condition for one option. `never: 'empty'` where every contact has one of
 * them. Options that are not the same everywhere are found by the server.
 */
export const choiceField = (
  naming: Naming & { options?: readonly Option[]; never?: 'empty' },
  leaf: (value: string) => Meaning,
): FieldRule => {
  const { options = [], never, ...rest } = naming;
  const leaves = (some: readonly Option[]) => some.map(({ value }) => leaf(value));
  return {
    ...named('choice', rest),
    ...(naming.options && { options }),
    meaning(test, chosen) {
      if (test.is !== 'empty') return anyOf(leaves(chosen));
      return never === 'empty' ? false : noneOf(leaves(chosen));
    },
  };
};

/**
 * The options that fit a test. An empty test has all, because none is chosen. What is the value of
 * one means that one, also where another is called so.
 */
export function optionsFor(test: Test, options: readonly Option[]): Option[] {
  if (test.is === 'empty') return [...options];
  const called = (one: Test) => options.filter(({ value, text = value }) => holds(one, [text]));
  if (test.is !== 'equals') return called(test);
  const meant = test.values.flatMap((typed) => {
    const one: Test = { ...test, values: [typed] };
    const valued = options.filter(({ value }) => holds(one, [value]));
    return valued.length > 0 ? valued : called(one);
  });
  return options.filter((option) => meant.includes(option));
}

/**
 * A number, of which whole ones are stored between `least` and `most`. `leaf` is the condition for
 * such a range.
 */
export const numberField = (
  naming: Naming,
  [least, most]: readonly [number, number],
  leaf: (range: { from: number; to: number }) => Meaning,
): FieldRule => {
  const between = (from: number, to: number): Meaning =>
    from > to ? false : leaf({ from: Math.max(from, least), to: Math.min(to, most) });
  const ofNumber = ({ equals, above = least - 1, below = most + 1 }: NumberTest): Meaning => {
    if (equals === undefined)
      return between(Math.max(Math.floor(above) + 1, least), Math.min(Math.ceil(below) - 1, most));
    const stored = equals.filter((one) => Number.isInteger(one) && one >= least && one <= most);
    return anyOf(stored.map((one) => between(one, one)));
  };
  return {
    ...named('number', naming),
    meaning: (test) => (test.is === 'number' ? ofNumber(test) : noneOf([between(least, most)])),
  };
};

/**
 * A day that every contact has. `within` is the condition for days, which an index may bound;
 * `leaf` is the one for its text.
 */
export const dateField = (
  naming: Naming & { never?: 'empty' },
  { within, leaf }: { within(days: { from?: string; to?: string }): Meaning; leaf(test: Test): Meaning },
): FieldRule => {
  const { never, ...rest } = naming;
  return {
    ...named('date', rest),
    meaning(test) {
      if (test.is === 'within') {
        const { from, to } = test;
        return within({ ...(from && { from }), ...(to && { to }) });
      }
      if (test.is === 'empty' && never === 'empty') return false;
      if (test.is === 'equals') return anyOf(test.values.map((day) => within({ from: day, to: day })));
      const months = test.is === 'starts_with' ? test.values.map(monthIn) : [null];
      return months.every((one) => one !== null) ? anyOf(months.map(within)) : leaf(test);
    },
  };
};

/** A day that only the condition `key` knows. A contact may have none. */
export const momentField = (naming: Naming, key: string): FieldRule =>
  dateField(naming, {
    within: (days) => ({ condition: key, value: { is: 'within', ...days } }),
    leaf: (test) => ({ condition: key, value: test }),
  });

/** The days that begin with a text, where it is a year, a month or a day. */
function monthIn(beginning: string): { from: string; to: string } | null {
  const [, year, month, day] = /^(\d{4})(?:-(\d\d)(?:-(\d\d))?)?$/.exec(beginning) ?? [];
  if (year === undefined || Number(year) < 1) return null;
  if (month === undefined) return { from: `${year}-01-01`, to: `${year}-12-31` };
  if (day !== undefined) return dayIn(beginning) === null ? null : { from: beginning, to: beginning };
  const last = ['31', '30', '29', '28'].find((one) => dayIn(`${beginning}-${one}`) !== null);
  return last === undefined ? null : { from: `${beginning}-01`, to: `${beginning}-${last}` };
}
