import { describe, expect, it } from 'vitest';
import { columnOf, numberText, styleOfBuiltIn, styleOfFormat, unescaped } from './cells.ts';

describe('a number format', () => {
  it.each([
    ['yyyy-mm-dd', 'day'],
    ['dd/mm/yyyy', 'day'],
    ['[$-809]dd mmmm yyyy;@', 'day'],
    ['d "of" mmmm', 'day'],
    ['mmm-yy', 'day'],
    ['m/d/yy h:mm', 'day'],
    ['mmmm', 'day'],
    ['hh:mm:ss', 'time'],
    ['h:mm AM/PM', 'time'],
    ['[h]:mm', 'plain'],
    ['[mm]:ss', 'plain'],
    ['General', 'plain'],
    ['0.00', 'plain'],
    ['#,##0.00 "days"', 'plain'],
    ['0.00E+00', 'plain'],
    ['[Red]0', 'plain'],
    ['[$£-809]#,##0', 'plain'],
    ['0\\d', 'plain'],
    ['@', 'plain'],
    ['', 'plain'],
  ])('%s is %s', (code, style) => {
    expect(styleOfFormat(code)).toBe(style);
  });

  it('of every workbook', () => {
    expect([0, 1, 2, 9, 10, 11, 12, 37, 44, 48, 49].map(styleOfBuiltIn)).toEqual(Array(11).fill('plain'));
    expect([14, 15, 16, 17, 22, 30, 57].map(styleOfBuiltIn)).toEqual(Array(7).fill('day'));
    expect([18, 19, 20, 21, 45, 47].map(styleOfBuiltIn)).toEqual(Array(6).fill('time'));
  });
});

describe('a number', () => {
  it.each([
    ['447700900123', '447700900123'],
    ['4.47700900123E+11', '447700900123'],
    ['0.1', '0.1'],
    ['0.30000000000000004', '0.3'],
    ['-5', '-5'],
    ['1E-7', '1e-7'],
    ['12345678901234567890', '12345678901234600000'],
    ['', ''],
    ['#N/A', '#N/A'],
    ['Infinity', 'Infinity'],
  ])('%s is told as %s', (text, told) => {
    expect(numberText(text, 'plain', false)).toBe(told);
  });

  it.each(['[', '0', '"', '_'])('of many %s takes no longer than another', (mark) => {
    const before = process.cpuUsage();
    expect(styleOfFormat(mark.repeat(500_000))).toBe('plain');
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1_000_000).toBeLessThan(1);
  });

  it.each([
    ['1', 'day', false, '1900-01-01'],
    ['59', 'day', false, '1900-02-28'],
    ['61', 'day', false, '1900-03-01'],
    ['45292', 'day', false, '2024-01-01'],
    ['45292.5', 'day', false, '2024-01-01T12:00:00'],
    ['45292.99999999999', 'day', false, '2024-01-02'],
    ['0.3958333333333333', 'time', false, '09:30:00'],
    ['45292.25', 'time', false, '2024-01-01T06:00:00'],
    ['43830', 'day', true, '2024-01-01'],
    ['0', 'day', true, '1904-01-01'],
    ['2958465', 'day', false, '9999-12-31'],
    ['-1', 'day', false, '-1'],
    ['9999999', 'day', false, '9999999'],
    ['soon', 'day', false, 'soon'],
  ] as const)('%s as a %s, from 1904 %s, is told as %s', (text, style, from1904, told) => {
    expect(numberText(text, style, from1904)).toBe(told);
  });
});

it.each([
  ['A1', 0],
  ['Z9', 25],
  ['AA10', 26],
  ['XFD1048576', 16_383],
  ['ab3', 27],
  ['12', -1],
  ['', -1],
  ['ABCD1', -1],
])('the column of %s is %i', (reference, column) => {
  expect(columnOf(reference)).toBe(column);
});

it('takes escapes out of a text', () => {
  expect(unescaped('a_x000D__x000A_b')).toBe('a\r\nb');
  expect(unescaped('_x005F_x000D_')).toBe('_x000D_');
  expect(unescaped('snake_xray_case')).toBe('snake_xray_case');
});
