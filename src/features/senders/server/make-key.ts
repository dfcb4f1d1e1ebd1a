import { generateKeyPair } from 'node:crypto';
import { promisify } from 'node:util';
import type { Sealer } from '#platform/server/sealed.ts';
import type { Selector } from '../rules/facts.ts';

export interface MadeKey {
  publicKey: string;
  privateKey: string;
}

/** A new RSA key pair of 2048 bits. Takes a tenth of a second, in another thread. */
export async function makeKey(): Promise<MadeKey> {
  const { publicKey, privateKey } = await promisify(generateKeyPair)('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'der' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  return { publicKey: publicKey.toString('base64'), privateKey };
}

/** Where a private key stands. Sealed for one place, it does not open in another. */
export const placeOfKey = (workspaceId: number, domain: string, selector: string): string =>
  `sender_keys ${workspaceId} ${domain} ${selector}`;

/** A private key as it is kept. */
export const sealKey = (
  sealer: Sealer,
  { workspaceId, domain, selector }: { workspaceId: number; domain: string; selector: Selector },
  { privateKey }: MadeKey,
): string => sealer.seal(privateKey, placeOfKey(workspaceId, domain, selector));
