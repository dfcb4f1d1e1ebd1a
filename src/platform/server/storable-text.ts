/**
 * Text that PostgreSQL can hold: without NUL, and with U+FFFD in place of half a surrogate pair.
 * For text that must not make the change it describes fail, such as a file name in a log line. Text
 * that a person typed is refused instead.
 */
export function storableText(text: string): string {
  return text.replaceAll('\0', '').toWellFormed();
}

/**
 * JSON of `value` that PostgreSQL can hold: each text in it is made storable. For jsonb with text
 * that was cut or that others wrote: half a pair would make the whole statement fail.
 */
export const storableJson = (value: unknown): string =>
  JSON.stringify(value, (_key, one: unknown) => (typeof one === 'string' ? storableText(one) : one));
