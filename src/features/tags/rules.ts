/**
 * A tag's name as it is compared with others: in any case, and with any spaces between its words.
 */
export const tagKey = (name: string): string =>
  name.normalize('NFC').toLowerCase().replace(/\s+/gu, ' ').trim();

/** A colour as it is stored. */
export const storedColor = (color: string): string => color.toUpperCase();
