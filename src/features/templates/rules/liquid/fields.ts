/** A merge field as the template names it. */
export interface FieldUse {
  /** The path with dots: `first_name`, `attributes.Company size`. */
  name: string;
  /** The first name of the path. */
  root: string;
  at: number;
  /** What stands there for a contact without a value: `{{ first_name | default: "there" }}`. */
  fallback: string | null;
}

/** Names by which JavaScript leads from a value to its own machinery. */
const forbidden = new Set([
  'constructor',
  'prototype',
  '__proto__',
  '__defineGetter__',
  '__defineSetter__',
  '__lookupGetter__',
  '__lookupSetter__',
  'hasOwnProperty',
  'isPrototypeOf',
  'propertyIsEnumerable',
  'toLocaleString',
  'toString',
  'valueOf',
]);

export function isForbidden(name: string): boolean {
  return forbidden.has(name);
}
