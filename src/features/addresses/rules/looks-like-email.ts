/** The text under the field of the add-email form. */
export const invalidEmailMessage = 'Please enter a valid UK email address';

const ending = /^(?:\p{L}{2,}|xn--[a-z0-9-]+)$/iu;

/**
 * The form's general pattern: characters, an at sign, a domain, a dot and a top-level part of at
 * least two letters. Ignores blanks around the text. This is only a first check; the server decides
 * with the parser.
 */
export function looksLikeEmail(text: string): boolean {
  const address = text.trim();
  const at = address.indexOf('@');
  const dot = address.lastIndexOf('.');
  if (at < 1 || dot < at + 2 || address.indexOf('@', at + 1) >= 0 || /\s/.test(address)) return false;
  return ending.test(address.slice(dot + 1));
}
