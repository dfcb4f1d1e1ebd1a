import { createVerify, X509Certificate } from 'node:crypto';
import { z } from 'zod';
import { callPublic } from '#platform/server/public-request.ts';

/** A message of Amazon SNS. */
const snsMessage = z.object({
  Type: z.enum(['Notification', 'SubscriptionConfirmation', 'UnsubscribeConfirmation']),
  MessageId: z.string().max(200),
  TopicArn: z.string().max(300),
  Message: z.string(),
  Timestamp: z.iso.datetime(),
  SignatureVersion: z.enum(['1', '2']),
  Signature: z.string(),
  SigningCertURL: z.string().max(500),
  Subject: z.string().nullish(),
  Token: z.string().optional(),
  SubscribeURL: z.string().max(2_000).optional(),
});
export type SnsMessage = z.output<typeof snsMessage>;

const mostBytes = 100_000;
const mostCertificates = 20;

/** Only these hosts are asked, whatever a message says. */
const isAmazons = (text: string): boolean => {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, port, username } = new URL(text);
  return (
    protocol === 'https:' &&
    port === '' &&
    username === '' &&
    /^sns\.[a-z0-9-]{2,30}\.amazonaws\.com(\.cn)?$/.test(hostname)
  );
};

const confirming = [
  'Message',
  'MessageId',
  'SubscribeURL',
  'Timestamp',
  'Token',
  'TopicArn',
  'Type',
] as const;
const signedFields = {
  Notification: ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type'],
  SubscriptionConfirmation: confirming,
  UnsubscribeConfirmation: confirming,
} as const;

/** Gets a page of Amazon's. Throws when it cannot. */
type GetPage = (url: string) => Promise<Buffer>;

/** Reads messages of SNS, and believes those that Amazon has signed. */
export class Sns {
  readonly #get: GetPage;
  readonly #certificates = new Map<string, X509Certificate>();

  constructor(get: GetPage = pageAt) {
    this.#get = get;
  }

  /** Null when it is none, or not signed by Amazon. Throws when the certificate cannot be read. */
  async read(body: unknown): Promise<SnsMessage | null> {
    const parsed = snsMessage.safeParse(body);
    if (!parsed.success || !isAmazons(parsed.data.SigningCertURL)) return null;
    const message = parsed.data;
    const text = signedFields[message.Type]
      .flatMap((name) => {
        const value = message[name as keyof SnsMessage];
        return value == null ? [] : [`${name}\n${value}\n`];
      })
      .join('');
    const { publicKey, validTo } = await this.#certificateAt(message.SigningCertURL);
    if (new Date(validTo) < new Date()) return null;
    const verify = createVerify(message.SignatureVersion === '1' ? 'RSA-SHA1' : 'RSA-SHA256').update(text);
    return verify.verify(publicKey, message.Signature, 'base64') ? message : null;
  }

  /** Tells Amazon that the topic may call. False when the message leads elsewhere. */
  async confirm({ SubscribeURL = '' }: SnsMessage): Promise<boolean> {
    if (!isAmazons(SubscribeURL)) return false;
    await this.#get(SubscribeURL);
    return true;
  }

  async #certificateAt(url: string): Promise<X509Certificate> {
    const kept = this.#certificates.get(url);
    if (kept) return kept;
    const certificate = new X509Certificate(await this.#get(url));
    if (this.#certificates.size >= mostCertificates) this.#certificates.clear();
    this.#certificates.set(url, certificate);
    return certificate;
  }
}

async function pageAt(url: string): Promise<Buffer> {
  const { status, body } = await callPublic(url, { bodyBytes: mostBytes });
  if (status !== 200) throw new Error(`${new URL(url).hostname} answered ${status}.`);
  return body;
}
