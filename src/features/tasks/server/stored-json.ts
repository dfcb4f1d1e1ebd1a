import { storableText } from '#platform/server/storable-text.ts';

/** JSON that PostgreSQL can hold: its text has no NUL and no half of a surrogate pair. */
export const toJson = (value: unknown): string =>
  JSON.stringify(value, (_key, one: unknown) => (typeof one === 'string' ? storableText(one) : one));
