/** What the cells of a worksheet say, as text (ECMA-376 part 1, 18.3.1.4 and 18.8.30). */

/** How a cell's number is shown. A number of the style `plain` is no day and no time. */
export type NumberStyle = 'plain' | 'day' | 'time';

/** The formats that every workbook has: days and times among them. */
export function styleOfBuiltIn(id: number): NumberStyle {
  if ((id >= 14 && id <= 17) || id === 22 || (id >= 27 && id <= 36) || (id >= 50 && id <= 58)) return 'day';
  return (id >= 18 && id <= 21) || id === 45 || id === 47 ? 'time' : 'plain';
}

/** The longest format that Excel takes. What stands behind is not looked at. */
const longestFormat = 255;

/**
 * What a format of the workbook's own makes of a number. `[h]:mm` counts hours, and stays a number.
 */
export function styleOfFormat(code: string): NumberStyle {
  const [positive = ''] = code.slice(0, longestFormat).split(';');
  const bare = positive.replace(/\\.|_.|\*.|"[^"]*"/gsu, '').toLowerCase();
  if (/\[(h+|m+|s+)\]/.test(bare)) return 'plain';
  const letters = bare.replace(/\[[^\]]*\]/g, '').replace(/general|am\/pm|a\/p/g, '');
  if (/[yde]/.test(letters.replace(/0[.,#0]*e[+-]/g, ''))) return 'day';
  if (/[hs]/.test(letters)) return 'time';
  return /m/.test(letters) ? 'day' : 'plain';
}

const dayMs = 86_400_000;
/** The last day that Excel knows: 31 December 9999. */
const lastDay = 2_958_466;

/**
 * A number as text: what Excel shows at most, 15 digits. A day as `2026-11-22`, with a time as
 * `2026-11-22T09:30:00`, a time alone as `09:30:00`.
 */
export function numberText(text: string, style: NumberStyle, from1904: boolean): string {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value)) return text;
  const isDay = style !== 'plain' && value >= 0 && value < lastDay;
  return isDay ? dayText(value, style, from1904) : String(Number(value.toPrecision(15)));
}

function dayText(serial: number, style: NumberStyle, from1904: boolean): string {
  // Excel takes 1900 for a leap year, so its days before 1 March 1900 are one less.
  const day = from1904 ? serial + 1_462 : serial < 60 ? serial + 1 : serial;
  const moment = new Date(Math.round((day - 25_569) * 86_400) * 1_000);
  const iso = moment.toISOString();
  const time = iso.slice(11, 19);
  if (style === 'time' && serial < 1) return time;
  return moment.getTime() % dayMs === 0 ? iso.slice(0, 10) : `${iso.slice(0, 10)}T${time}`;
}

/** Takes the escapes out of a text: `_x000D_` is a carriage return. */
export const unescaped = (text: string): string =>
  text.includes('_x')
    ? text.replace(/_x([0-9a-fA-F]{4})_/g, (_, code: string) =>
        String.fromCharCode(Number.parseInt(code, 16)),
      )
    : text;

/** The column of a reference such as `AB12`, from 0. -1 when it is none. */
export function columnOf(reference: string): number {
  let column = 0;
  let at = 0;
  for (; at < reference.length; at++) {
    const letter = reference.charCodeAt(at) & ~32;
    if (letter < 65 || letter > 90) break;
    column = column * 26 + letter - 64;
  }
  return at === 0 || at > 3 ? -1 : column - 1;
}
