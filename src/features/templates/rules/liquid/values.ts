import { formatNumber } from '#platform/shared/words.ts';
import { limits } from './limits.ts';
import { FillError } from './run.ts';

/** The literals `empty` and `blank`. */
export const emptyValue = Symbol('empty');
export const blankValue = Symbol('blank');

/** HTML that the template has captured. It is escaped already. */
export class Markup {
  readonly html: string;

  constructor(html: string) {
    this.html = html;
  }
}

/** In Liquid only false and nothing are false. */
export function isTrue(value: unknown): boolean {
  return value !== false && value !== undefined && value !== null;
}

/** How a value is written. A set of fields has no writing of its own. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value === undefined || value === null || typeof value === 'symbol') return '';
  if (Array.isArray(value)) return value.map(textOf).join('');
  if (value instanceof Markup) return value.html;
  return typeof value === 'object' ? '' : String(value);
}

const special = /[&<>"']/;
const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&#34;',
  "'": '&#39;',
};

/** Text as it is written in HTML, between tags and in quoted attributes. */
export function escapeHtml(text: string): string {
  return special.test(text) ? text.replace(/[&<>"']/g, (char) => entities[char] ?? char) : text;
}

/** A value as it is written in HTML. */
export function htmlOf(value: unknown): string {
  return value instanceof Markup ? value.html : escapeHtml(textOf(value));
}

/** Extra fields are text, so `points == 100` also holds for the text 100. */
export function areEqual(one: unknown, other: unknown): boolean {
  if (one === emptyValue || other === emptyValue)
    return one !== other && isEmpty(one === emptyValue ? other : one);
  if (one === blankValue || other === blankValue)
    return one !== other && isBlank(one === blankValue ? other : one);
  if (Array.isArray(one))
    return (
      Array.isArray(other) &&
      one.length === other.length &&
      one.every((item, index) => areEqual(item, other[index]))
    );
  if (typeof one === 'number' && typeof other === 'string') return isNumber(other, one);
  if (typeof other === 'number' && typeof one === 'string') return isNumber(one, other);
  if (one instanceof Markup || other instanceof Markup) return textOf(one) === textOf(other);
  // Liquid takes "nothing" and "null" as the same.
  return one === other || ((one ?? null) === null && (other ?? null) === null);
}

function isNumber(text: string, number: number): boolean {
  return text.trim() !== '' && Number(text) === number;
}

function isEmpty(value: unknown): boolean {
  if (typeof value === 'string' || Array.isArray(value)) return value.length === 0;
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

function isBlank(value: unknown): boolean {
  if (value === undefined || value === null || value === false) return true;
  if (value instanceof Markup) return value.html.trim() === '';
  return typeof value === 'string' ? value.trim() === '' : isEmpty(value);
}

/** What filters take: captured HTML is text to them, and `blank` is an empty text. */
export function plain(value: unknown): unknown {
  if (value instanceof Markup) return value.html;
  return typeof value === 'symbol' ? '' : value;
}

/** Whether a text has a piece, or a list an item. */
export function hasPart(given: unknown, part: unknown): boolean {
  const whole = plain(given);
  if (Array.isArray(whole)) return whole.some((item) => areEqual(item, part));
  const isNothing = part === undefined || part === null;
  return typeof whole === 'string' && !isNothing && whole.includes(textOf(part));
}

/** A field of a value: only its own ones, and never what JavaScript adds to every object. */
export function property(of: unknown, key: unknown): unknown {
  if (of === undefined || of === null) return undefined;
  if (key === 'size') return sizeOf(of);
  if (Array.isArray(of)) {
    if (key === 'first') return of[0];
    if (key === 'last') return of.at(-1);
    return typeof key === 'number' ? of.at(key) : undefined;
  }
  if (typeof of !== 'object' || (typeof key !== 'string' && typeof key !== 'number')) return undefined;
  const value = Object.hasOwn(of, key) ? (of as Record<string | number, unknown>)[key] : undefined;
  return typeof value === 'function' ? undefined : value;
}

function sizeOf(value: unknown): unknown {
  if (typeof value === 'string' || Array.isArray(value)) return value.length;
  if (typeof value !== 'object' || value === null) return undefined;
  return Object.hasOwn(value, 'size') ? (value as { size: unknown }).size : Object.keys(value).length;
}

/** What a loop goes through. */
export function itemsOf(value: unknown): unknown[] {
  if (typeof value === 'string') return value === '' ? [] : [value];
  if (typeof value !== 'object' || value === null) return [];
  return limited(Array.isArray(value) ? value : Object.entries(value));
}

export function rangeOf(from: unknown, to: unknown): number[] {
  const first = Math.trunc(Number(from));
  const length = Math.trunc(Number(to)) - first + 1;
  if (!(length > 0)) return [];
  refuseMoreThan(length);
  return Array.from({ length }, (_, index) => first + index);
}

export function limited<T>(items: T[]): T[] {
  refuseMoreThan(items.length);
  return items;
}

function refuseMoreThan(length: number): void {
  if (length <= limits.items) return;
  throw new FillError(`A list in this template has more than ${formatNumber(limits.items)} items.`);
}
