import type { Basis } from '#features/contacts/contract.ts';

/** What each basis is called in files. Whatever is not here says nothing that can be relied on. */
const namesInFiles: Readonly<Record<Exclude<Basis, 'unknown'>, readonly string[]>> = {
  consent: [
    ...['consent', 'consented', 'consent given', 'express consent', 'explicit consent'],
    ...['opt in', 'optin', 'opted in', 'double opt in', 'single opt in', 'confirmed opt in'],
  ],
  soft_opt_in: ['soft opt in', 'soft optin', 'softoptin'],
  corporate_subscriber: ['corporate subscriber', 'corporate', 'corporate body'],
  none: [
    ...['none', 'no basis', 'no consent', 'not consented', 'consent withdrawn', 'withdrawn', 'refused'],
    ...['objected', 'opt out', 'optout', 'opted out', 'no'],
  ],
};

const basisByName = new Map(
  Object.entries(namesInFiles).flatMap(([basis, names]) => names.map((name) => [name, basis as Basis])),
);

/**
 * The basis that a cell of a file names. Null for an empty cell. What is not understood is
 * unknown: nobody may be mailed on the strength of a word that nobody has read.
 */
export function basisInCell(text: string): Basis | null {
  const plain = text
    .trim()
    .toLowerCase()
    .replace(/[\s_-]+/g, ' ');
  return plain === '' ? null : (basisByName.get(plain) ?? 'unknown');
}
