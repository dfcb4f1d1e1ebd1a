import { createHash, createHmac, createPublicKey, createVerify, timingSafeEqual } from 'node:crypto';
import type { Provider } from '../../rules/providers/providers.ts';

/** A call of a service, as it came. */
export interface ProviderCall {
  text: string;
  body: unknown;
  headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** What a proved call has of its own: sent again, it has the same. */
export interface Proof {
  once: string;
  /** When it was signed. Null where a service signs no time. */
  at: Date | null;
}

const headerOf = ({ headers }: ProviderCall, name: string): string => {
  const value = headers[name];
  return typeof value === 'string' ? value : '';
};

export const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Compares without telling by its time where two texts differ. */
const isSame = (a: string, b: string): boolean => timingSafeEqual(digestOf(a), digestOf(b));

type Prove = (call: ProviderCall, secret: string | null) => Proof | null;

/** Proves calls with the secret of their service. Amazon's are proved by `sns.ts`. */
export const proveCall: Record<Exclude<Provider, 'ses'>, Prove> = {
  postmark: provePassword,
  brevo: provePassword,
  /** HMAC over a time and a token, and not over the rest: a token counts once. */
  mailgun({ body }, secret) {
    const { signature } = (body ?? {}) as { signature?: Record<string, unknown> };
    const { timestamp, token, signature: given } = signature ?? {};
    const time = String(timestamp);
    // If the length could differ, the end of the time could become the beginning of another token.
    if (secret === null || typeof given !== 'string' || typeof token !== 'string' || !/^\d{10}$/.test(time))
      return null;
    const right = createHmac('sha256', secret).update(`${time}${token}`).digest('hex');
    return isSame(right, given.toLowerCase()) ? { once: token, at: new Date(Number(time) * 1_000) } : null;
  },
  /** ECDSA over a time and the body. */
  sendgrid(call, secret) {
    const given = headerOf(call, 'x-twilio-email-event-webhook-signature');
    const time = headerOf(call, 'x-twilio-email-event-webhook-timestamp');
    const key = secret === null ? null : verificationKey(secret);
    if (!key || !/^\d{10}$/.test(time)) return null;
    const signed = `${time}${call.text}`;
    const isRight = createVerify('sha256').update(signed).verify(key, given, 'base64');
    return isRight ? { once: signed, at: new Date(Number(time) * 1_000) } : null;
  },
};

/** The key of SendGrid, as it is shown there. Null when it is none. */
export function verificationKey(text: string) {
  try {
    const key = createPublicKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'spki' });
    return key.asymmetricKeyType === 'ec' ? key : null;
  } catch {
    return null;
  }
}

/** Without a password, whoever knows the address may call. Nobody can guess it. */
function provePassword(call: ProviderCall, secret: string | null): Proof | null {
  return secret === null || hasPassword(call, secret) ? { once: call.text, at: null } : null;
}

function hasPassword(call: ProviderCall, secret: string): boolean {
  const [, scheme = '', value = ''] = /^(\w+) +(.*)$/.exec(headerOf(call, 'authorization')) ?? [];
  if (/^bearer$/i.test(scheme)) return isSame(value, secret);
  if (!/^basic$/i.test(scheme)) return false;
  const pair = Buffer.from(value, 'base64').toString();
  return isSame(pair.slice(pair.indexOf(':') + 1), secret);
}
