/**
 * The filters of Liquid that a template may use, with how many values each needs after its colon.
 */
const needs = {
  abs: 0,
  append: 1,
  at_least: 1,
  at_most: 1,
  capitalize: 0,
  ceil: 0,
  date: 1,
  default: 1,
  divided_by: 1,
  downcase: 0,
  escape: 0,
  escape_once: 0,
  first: 0,
  floor: 0,
  join: 0,
  last: 0,
  lstrip: 0,
  minus: 1,
  modulo: 1,
  newline_to_br: 0,
  normalize_whitespace: 0,
  plus: 1,
  prepend: 1,
  remove: 1,
  remove_first: 1,
  remove_last: 1,
  replace: 2,
  replace_first: 2,
  replace_last: 2,
  reverse: 0,
  round: 0,
  rstrip: 0,
  size: 0,
  slice: 1,
  split: 1,
  strip: 0,
  strip_newlines: 0,
  times: 1,
  truncate: 0,
  truncatewords: 0,
  uniq: 0,
  upcase: 0,
  url_decode: 0,
  url_encode: 0,
} as const;

export type FilterName = keyof typeof needs;

export const filterNames = Object.keys(needs) as FilterName[];

/** How many values a filter needs at least. */
export function needed(name: FilterName): number {
  return needs[name];
}
