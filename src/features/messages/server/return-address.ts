import type { References, SendReference } from './reference.ts';

/** Where a message comes back to. */
export interface ReturnAddresses {
  domain: string;
  references: References;
}

/** Where the bounce of a message goes. */
export const returnAddress = (
  { domain, references }: ReturnAddresses,
  send: Omit<SendReference, 'part'>,
): string => `bounce+${references.address('bounce', { ...send, part: 0 })}@${domain}`;

/** The send that a return address names. Null when we have not made it. */
export function sendOfAddress(
  { domain, references }: ReturnAddresses,
  address: string,
): SendReference | null {
  const at = address.lastIndexOf('@');
  if (address.slice(at + 1).toLowerCase() !== domain) return null;
  const [, reference] = /^bounce\+([a-z2-7]{16,80})$/i.exec(address.slice(0, at)) ?? [];
  return reference === undefined ? null : references.fromAddress('bounce', reference);
}
