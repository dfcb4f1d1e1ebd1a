import { describe, expect, it } from 'vitest';
import { anniversariesOn, dayIn, daysAfter, londonDay } from './days.ts';
import { folded, foldedLetters } from './fold.ts';
import { holds, numberIn, type Test, testSchema } from './test.ts';

describe('texts are folded', () => {
  it.each([
    ['  Ann SMITH\u00a0', 'ann smith'],
    ['ÉCOLE', 'école'],
    ['Łódź Ŵ', 'łódź ŵ'],
    ['ΟΔΟΣ', 'οδοσ'],
    ['οδος', 'οδοσ'],
    ['Straße', 'straße'],
    ['İ', 'İ'],
    ['🏫', '🏫'],
  ])('%j is compared as %j', (text, expected) => expect(folded(text)).toBe(expected));

  it('letter by letter, so that PostgreSQL can do the same', () => {
    expect([...foldedLetters.from]).toHaveLength([...foldedLetters.to].length);
    expect(new Set(foldedLetters.from).size).toBe([...foldedLetters.from].length);
    expect(folded('STRASSE')).not.toBe(folded('Straße'));
  });
});

describe('days', () => {
  it.each([
    ['2026-11-01', '2026-11-01'],
    ['2026-11-01T09:00:00Z', '2026-11-01'],
    ['2026-11-01 late', '2026-11-01'],
    ['1/3/2026', '2026-03-01'],
    ['31.12.2025', '2025-12-31'],
    ['29/02/2024', '2024-02-29'],
    ['29/02/2026', null],
    ['31/04/2026', null],
    ['13/13/2026', null],
    ['0000-01-01', null],
    ['2026-11-011', null],
    ['1/3/26', null],
    ['tomorrow', null],
  ])('of %j: %j', (text, day) => expect(dayIn(text)).toBe(day));

  it('are London’s', () => {
    expect(londonDay(new Date('2026-06-30T23:00:00Z'))).toBe('2026-07-01');
    expect(londonDay(new Date('2026-11-01T23:59:59Z'))).toBe('2026-11-01');
  });

  it('end with the calendar', () => {
    expect(daysAfter('2026-03-01', -1)).toBe('2026-02-28');
    expect(daysAfter('9999-12-31', 1)).toBeNull();
    expect(daysAfter('0001-01-01', -1)).toBeNull();
  });

  it('of 29 February have their anniversary on the 28th in other years', () => {
    expect(anniversariesOn('2026-02-28')).toEqual(['-02-28', '-02-29']);
    expect(anniversariesOn('2024-02-28')).toEqual(['-02-28']);
    expect(anniversariesOn('2024-02-29')).toEqual(['-02-29']);
  });
});

it.each([
  ['1,204.50', 1204.5],
  ['£12', 12],
  ['-7', -7],
  [' 3 ', 3],
  ['3 apples', null],
  ['1e3', null],
  ['', null],
])('the number in %j is %j', (text, number) => expect(numberIn(text)).toBe(number));

describe('a test', () => {
  const contains = (value: string): Test => ({ is: 'contains', of: 'text', values: [value] });
  it.each<[Test, string[], boolean]>([
    [{ is: 'empty' }, [], true],
    [{ is: 'empty' }, [''], true],
    [{ is: 'empty' }, [' \t'], true],
    [{ is: 'empty' }, ['x'], false],
    [contains('a'), [], false],
    [contains('é'), ['CAFÉ'], true],
    [{ is: 'equals', of: 'text', values: ['vip', 'agency'] }, ['New', 'Agency'], true],
    [{ is: 'ends_with', of: 'day', values: ['-03-01'] }, ['1/3/2026'], true],
    [{ is: 'within', from: '2026-01-01' }, ['2025-12-31'], false],
    [{ is: 'within', from: '2026-01-01', to: '2026-12-31' }, ['31/12/2026'], true],
    [{ is: 'number', above: 5 }, ['5'], false],
    [{ is: 'number', above: 5, below: 7 }, ['6.5'], true],
    [{ is: 'number', above: 5 }, ['many'], false],
  ])('%j of %j: %j', (test, has, expected) => {
    expect(testSchema.parse(JSON.parse(JSON.stringify(test)))).toEqual(test);
    expect(holds(test, has)).toBe(expected);
  });
});
