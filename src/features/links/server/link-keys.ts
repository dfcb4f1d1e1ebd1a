import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { createReferences, type References } from '#features/messages/server/index.ts';

/** What writes and reads the links of mails. It can be made anew in a thread, from the same key. */
export interface LinkKeys {
  references: References;
  /** Text that travels in a link, with its signature. It belongs to one reference. */
  seal(reference: string, text: string): string;
  /** Null unless `seal` made it for this reference. */
  unseal(reference: string, sealed: string): string | null;
}

/** 96 bits are 16 characters. */
const macBytes = 12;
const macLength = 16;

/** @param secretKeys SECRET_KEY, and after it those that it has replaced. */
export function createLinkKeys(secretKeys: readonly [string, ...string[]]): LinkKeys {
  const keys = secretKeys.map((secret) =>
    Buffer.from(hkdfSync('sha256', secret, '', 'email-manager link texts', 32)),
  );
  const mac = (key: Buffer, reference: string, text: string) =>
    createHmac('sha256', key).update(reference).update('\0').update(text).digest().subarray(0, macBytes);
  return {
    references: createReferences(secretKeys),
    seal: (reference, text) =>
      mac(keys[0] as Buffer, reference, text).toString('base64url') + Buffer.from(text).toString('base64url'),
    unseal(reference, sealed) {
      if (!/^[\w-]{16,}$/.test(sealed)) return null;
      const text = Buffer.from(sealed.slice(macLength), 'base64url').toString();
      const given = Buffer.from(sealed.slice(0, macLength), 'base64url');
      return keys.some((key) => timingSafeEqual(mac(key, reference, text), given)) ? text : null;
    },
  };
}
