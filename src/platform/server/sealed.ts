import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

/** Encrypts secrets that stand in the database, and decrypts them again. */
export interface Sealer {
  /** `place` says where the value stands. A value that is put elsewhere does not open there. */
  seal(secret: string, place: string): string;
  /** Throws when the key is not known any more, or when somebody has changed the value. */
  open(sealed: string, place: string): string;
  /** Whether it is sealed with the key of today. If not, seal it again. */
  isCurrent(sealed: string): boolean;
}

interface SealingKey {
  id: string;
  key: Buffer;
}

const ivBytes = 12;
const tagBytes = 16;

/**
 * AES-256-GCM with keys made from SECRET_KEY (HKDF-SHA-256). A sealed value names its key, so the
 * values of `previous` secrets still open while they are sealed again.
 */
export function createSealer(secretKey: string, previous: readonly string[] = []): Sealer {
  const current = keyOf(secretKey);
  const keys = new Map([...previous.map(keyOf), current].map((one) => [one.id, one.key]));
  return {
    seal(secret, place) {
      const iv = randomBytes(ivBytes);
      const cipher = createCipheriv('aes-256-gcm', current.key, iv).setAAD(Buffer.from(place));
      const body = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
      const bytes = Buffer.concat([iv, body, cipher.getAuthTag()]);
      return `v1.${current.id}.${bytes.toString('base64url')}`;
    },
    open(sealed, place) {
      const [version, id = '', text = ''] = sealed.split('.');
      const key = version === 'v1' ? keys.get(id) : undefined;
      if (!key) throw new Error('A stored secret is sealed with a SECRET_KEY that is not known any more.');
      const bytes = Buffer.from(text, 'base64url');
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, ivBytes), {
        authTagLength: tagBytes,
      })
        .setAAD(Buffer.from(place))
        .setAuthTag(bytes.subarray(-tagBytes));
      return decipher.update(bytes.subarray(ivBytes, -tagBytes), undefined, 'utf8') + decipher.final('utf8');
    },
    isCurrent: (sealed) => sealed.startsWith(`v1.${current.id}.`),
  };
}

/** The key, and a name for it that says nothing about it. */
function keyOf(secretKey: string): SealingKey {
  const derive = (use: string, length: number) =>
    Buffer.from(hkdfSync('sha256', secretKey, '', `email-manager ${use}`, length));
  return { id: derive('sealing key id', 6).toString('hex'), key: derive('sealing', 32) };
}
