import { hash, hkdfSync, timingSafeEqual } from 'node:crypto';

/** One message to one person, as links and return addresses name it. */
export interface SendReference {
  workspaceId: number;
  mailingId: number;
  sendId: number;
  /** Which of several: the link of a mail. 0 where there is one alone. */
  part: number;
}

/**
 * Writes and reads signed references. A reference is for one use: that of a click opens no page on
 * which somebody leaves. Nobody can make one or bend one to another person without SECRET_KEY.
 */
export interface References {
  /** For an address on the web: 20 to 35 letters, digits, `-` and `_`. */
  url(use: ReferenceUse, reference: SendReference): string;
  fromUrl(use: ReferenceUse, text: string): SendReference | null;
  /** For the local part of an address: lower-case letters and digits, since servers change case. */
  address(use: ReferenceUse, reference: SendReference): string;
  fromAddress(use: ReferenceUse, text: string): SendReference | null;
}

export type ReferenceUse =
  | 'open'
  | 'click'
  | 'unsubscribe'
  | 'preferences'
  | 'address'
  | 'view'
  | 'bounce'
  | 'webhook';

/** How what is signed begins. */
const uses: Record<ReferenceUse, Buffer> = {
  open: Buffer.from('open\0'),
  click: Buffer.from('click\0'),
  unsubscribe: Buffer.from('unsubscribe\0'),
  preferences: Buffer.from('preferences\0'),
  address: Buffer.from('address\0'),
  view: Buffer.from('view\0'),
  bounce: Buffer.from('bounce\0'),
  webhook: Buffer.from('webhook\0'),
};

/** 80 bits: to guess one reference takes longer than any rate limit allows. */
const macBytes = 10;
/** The longest that `pack` writes: four numbers of 8 bytes of 7 bits. */
const mostBytes = 4 * 8 + macBytes;

/**
 * @param secretKeys SECRET_KEY, and after it those that it has replaced: mail that was sent with
 *   them is still read.
 */
export function createReferences(secretKeys: readonly [string, ...string[]]): References {
  const keys = secretKeys.map((secret) =>
    macKey(Buffer.from(hkdfSync('sha256', secret, '', 'email-manager links', 32))),
  );
  const mac = (key: MacKey, use: ReferenceUse, body: Buffer) =>
    hmac(key, Buffer.concat([uses[use], body])).subarray(0, macBytes);

  const write = (use: ReferenceUse, reference: SendReference): Buffer => {
    const body = pack(reference);
    return Buffer.concat([body, mac(keys[0] as MacKey, use, body)]);
  };
  const read = (use: ReferenceUse, bytes: Buffer): SendReference | null => {
    if (bytes.length <= macBytes || bytes.length > mostBytes) return null;
    const body = bytes.subarray(0, -macBytes);
    const given = bytes.subarray(-macBytes);
    return keys.some((key) => timingSafeEqual(mac(key, use, body), given)) ? unpack(body) : null;
  };
  return {
    url: (use, reference) => write(use, reference).toString('base64url'),
    fromUrl(use, text) {
      if (!/^[\w-]+$/.test(text)) return null;
      const bytes = Buffer.from(text, 'base64url');
      // One reference has one spelling, so that caches and logs know it again.
      return bytes.toString('base64url') === text ? read(use, bytes) : null;
    },
    address: (use, reference) => toBase32(write(use, reference)),
    fromAddress(use, text) {
      const bytes = fromBase32(text.toLowerCase());
      return bytes && read(use, bytes);
    },
  };
}

/** The key of an HMAC, mixed into what both of its hashes begin with. */
interface MacKey {
  inner: Buffer;
  outer: Buffer;
}

const blockBytes = 64;

function macKey(key: Buffer): MacKey {
  const padded = Buffer.concat([key], blockBytes);
  return {
    inner: padded.map((byte) => byte ^ 0x36) as Buffer,
    outer: padded.map((byte) => byte ^ 0x5c) as Buffer,
  };
}

/**
 * HMAC-SHA-256 (RFC 2104) of something short. A message has a dozen links, and `createHmac` takes
 * ten times as long, nearly all of it to set itself up.
 */
const hmac = ({ inner, outer }: MacKey, text: Buffer): Buffer =>
  hash('sha256', Buffer.concat([outer, hash('sha256', Buffer.concat([inner, text]), 'buffer')]), 'buffer');

/** Whole numbers, seven bits a byte, the lowest first; the top bit says that more follow. */
function pack({ workspaceId, mailingId, sendId, part }: SendReference): Buffer {
  const bytes: number[] = [];
  for (let number of [workspaceId, mailingId, sendId, part]) {
    if (!Number.isSafeInteger(number) || number < 0) throw new RangeError(`${number} names nothing.`);
    while (number >= 128) {
      bytes.push((number % 128) + 128);
      number = Math.floor(number / 128);
    }
    bytes.push(number);
  }
  return Buffer.from(bytes);
}

function unpack(bytes: Buffer): SendReference | null {
  const numbers: number[] = [];
  let value = 0;
  let scale = 1;
  for (const byte of bytes) {
    value += (byte % 128) * scale;
    scale *= 128;
    if (byte < 128) {
      numbers.push(value);
      value = 0;
      scale = 1;
    }
  }
  if (scale !== 1 || numbers.length !== 4) return null;
  const [workspaceId, mailingId, sendId, part] = numbers as [number, number, number, number];
  return { workspaceId, mailingId, sendId, part };
}

/** RFC 4648, section 6, in lower case and without padding. */
const alphabet = 'abcdefghijklmnopqrstuvwxyz234567';

function toBase32(bytes: Buffer): string {
  let text = '';
  let bits = 0;
  let value = 0;
  for (const byte of bytes) {
    value = (value << 8) | byte;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      text += alphabet.charAt((value >>> bits) & 31);
    }
    value &= 255;
  }
  return bits > 0 ? text + alphabet.charAt((value << (5 - bits)) & 31) : text;
}

function fromBase32(text: string): Buffer | null {
  const bytes: number[] = [];
  let bits = 0;
  let value = 0;
  for (const letter of text) {
    const index = alphabet.indexOf(letter);
    if (index < 0) return null;
    value = ((value << 5) | index) & 0xfff;
    bits += 5;
    if (bits >= 8) {
      bits -= 8;
      bytes.push((value >>> bits) & 255);
    }
  }
  const result = Buffer.from(bytes);
  // Bits that are left over must be nought: one reference has one spelling.
  return toBase32(result) === text ? result : null;
}
