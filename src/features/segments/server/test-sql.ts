import { sql } from 'kysely';
import type { Fragment } from '#platform/server/database.ts';
import { britishDay, isoDay } from '../rules/days.ts';
import { blanks, foldedLetters } from '../rules/fold.ts';
import { type NumberTest, numberPattern, type Test, type TextTest } from '../rules/test.ts';

/*
 * Tests for the database. They say what `holds` in rules/test.ts says; `agreement.test.ts` compares
 * them. Parameters are text and numbers, because an export writes them into its statement.
 */

const trimmed = (text: Fragment): Fragment => sql`btrim(${text}, ${blanks}::text)`;

/** The letters of most texts are ASCII, which the locale `C` knows everywhere. */
const folded = (text: Fragment): Fragment => sql`(case when octet_length(${text}) = char_length(${text})
  then lower(${trimmed(text)} collate "C")
  else translate(lower(${trimmed(text)} collate "C"), ${foldedLetters.from}::text, ${foldedLetters.to}::text) end)`;

/** The day that a text begins with, or null. Comparing texts is enough, so no date is made. */
const dayIn = (text: Fragment): Fragment => sql`(
  select y || '-' || m || '-' || d from (
    select coalesce(i[1], b[3]) as y, coalesce(i[2], lpad(b[2], 2, '0')) as m, coalesce(i[3], lpad(b[1], 2, '0')) as d
    from (select regexp_match(x, ${isoDay}::text) as i, regexp_match(x, ${britishDay}::text) as b
          from (select ${trimmed(text)} as x) one) two
  ) three
  where y::int > 0 and m::int between 1 and 12 and d::int between 1 and case
    when m = '02' then case when y::int % 4 = 0 and (y::int % 100 <> 0 or y::int % 400 = 0) then 29 else 28 end
    when m in ('04', '06', '09', '11') then 30 else 31 end)`;

const numberIn = (text: Fragment): Fragment => sql`(
  select case when x ~ ${numberPattern}::text then x::float8 end
  from (select translate(${trimmed(text)}, ',£', '') as x) one)`;

/** What a test reads: a text, or a day that is known to be one. */
export interface Read {
  text: Fragment;
  /** The text is stored in small ASCII letters, without blanks. */
  isPlain?: true;
  /** The day, where it does not have to be read from the text. */
  day?: Fragment;
}

/** True where the test holds. Null counts as false. */
export function testSql(test: Test, read: Read): Fragment {
  if (test.is === 'empty') return sql`(coalesce(${trimmed(read.text)}, '') = '')`;
  if (test.is === 'within') return withinSql(test, read.day ?? dayIn(read.text));
  if (test.is === 'number') return numberSql(test, numberIn(read.text));
  if (test.of === 'day') return textSql(test, read.day ?? dayIn(read.text));
  return textSql(test, read.isPlain ? read.text : folded(read.text));
}

function textSql({ is, values }: TextTest, text: Fragment): Fragment {
  if (is === 'equals') return sql`(${text} in (${sql.join(values.map((one) => sql`${one}::text`))}))`;
  if (values.length === 1) return fits[is](text, values[0] as string);
  // The text is made once for all values.
  const some = values.map((one) => fits[is](sql`one.x`, one));
  return sql`(select ${sql.join(some, sql` or `)} from (select ${text} as x offset 0) one)`;
}

const fits: Record<Exclude<TextTest['is'], 'equals'>, (text: Fragment, wanted: string) => Fragment> = {
  contains: (text, wanted) => sql`(strpos(${text}, ${wanted}::text) > 0)`,
  starts_with: (text, wanted) => sql`starts_with(${text}, ${wanted}::text)`,
  ends_with: (text, wanted) => sql`(right(${text}, ${sql.lit([...wanted].length)}) = ${wanted}::text)`,
};

const all = (tests: Fragment[]): Fragment =>
  tests.length === 0 ? sql`true` : sql`(${sql.join(tests, sql` and `)})`;

const withinSql = ({ from, to }: { from?: string | undefined; to?: string | undefined }, day: Fragment) =>
  sql`(select ${all([
    sql`one.x is not null`,
    ...(from === undefined ? [] : [sql`one.x collate "C" >= ${from}::text`]),
    ...(to === undefined ? [] : [sql`one.x collate "C" <= ${to}::text`]),
  ])} from (select ${day} as x offset 0) one)`;

const numberSql = ({ equals, above, below }: NumberTest, number: Fragment): Fragment =>
  sql`(select ${all([
    sql`one.x is not null`,
    ...(equals === undefined ? [] : [sql`one.x in (${sql.join(equals.map((one) => sql`${one}::float8`))})`]),
    ...(above === undefined ? [] : [sql`one.x > ${above}::float8`]),
    ...(below === undefined ? [] : [sql`one.x < ${below}::float8`]),
  ])} from (select ${number} as x offset 0) one)`;
