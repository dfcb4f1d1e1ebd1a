import type { References } from '#features/messages/server/index.ts';
import type { Database, TenantTx } from '#platform/server/database.ts';
import { NoAnswer } from '#platform/server/public-request.ts';
import type { Sealer } from '#platform/server/sealed.ts';
import { AppError } from '#platform/shared/errors.ts';
import { eventsOf, type ProviderEvent, verdictOf } from '../../rules/providers/events.ts';
import { type Provider, providers } from '../../rules/providers/providers.ts';
import type { BounceBook, BounceNews } from '../bounces.ts';
import { findSends, type MessageFinder } from './find-sends.ts';
import { digestOf, type Proof, type ProviderCall, proveCall } from './prove.ts';
import type { Sns, SnsMessage } from './sns.ts';
import { insertCall, keepTopic, noteCall, selectWebhooks, type WebhookRow } from './webhook-queries.ts';

export interface WebhookContext extends MessageFinder {
  db: Database;
  book: BounceBook;
  sns: Sns;
  sealer: Sealer;
  publicUrl: string;
}

/** Services repeat calls that failed for some hours, a day at the most. */
const longestDays = 2;
/** How many days a call is remembered: for as long as its signature is good, and one more. */
export const rememberedDays = longestDays + 1;
const dayMs = 86_400_000;
/** Clocks differ. */
const aheadMs = 600_000;

export const placeOfSecret = (workspaceId: number, provider: Provider): string =>
  `bounce_webhooks ${workspaceId} ${provider}`;

/** The last part of the address that a service calls. It is signed, so nobody can guess one. */
export const webhookKey = (
  references: References,
  workspaceId: number,
  { provider, version }: Pick<WebhookRow, 'provider' | 'version'>,
): string =>
  references.url('webhook', {
    ...{ workspaceId, mailingId: providers.indexOf(provider), sendId: version, part: 0 },
  });

interface Place {
  workspaceId: number;
  provider: Provider;
}

/** Takes a call of a service. Returns how many bounces and complaints it brought. */
export async function takeCall(
  context: WebhookContext,
  provider: Provider,
  key: string,
  call: ProviderCall,
): Promise<number> {
  const named = context.references.fromUrl('webhook', key);
  if (!named || providers[named.mailingId] !== provider) throw unknown();
  const place = { workspaceId: named.workspaceId, provider };
  const row = await context.db.asTenant(place.workspaceId, async (tx) =>
    (await selectWebhooks(tx, place.workspaceId)).find((one) => one.provider === provider),
  );
  if (!row?.isOn || row.version !== named.sendId) throw unknown();
  const proved =
    provider === 'ses' ? await proveAmazon(context, call) : proveBySecret(context, place, row, call);
  refuseOld(proved.at);
  if (proved.sns && proved.sns.Type !== 'Notification') return greet(context, place, proved.sns);
  if (proved.sns && proved.sns.TopicArn !== row.topic) throw otherTopic();
  const events = eventsOf(provider, proved.sns ? jsonOf(proved.sns.Message) : call.body);
  const isNews = await context.db.asTenant(place.workspaceId, (tx) =>
    take(tx, context, place, proved, events),
  );
  if (isNews) context.book.wake(place.workspaceId);
  return isNews ? events.length : 0;
}

type Proved = Proof & { sns?: SnsMessage };

function proveBySecret(
  { sealer }: WebhookContext,
  place: Place,
  row: WebhookRow,
  call: ProviderCall,
): Proved {
  const { workspaceId, provider } = place;
  const secret = row.secret === null ? null : sealer.open(row.secret, placeOfSecret(workspaceId, provider));
  const proof = provider === 'ses' ? null : proveCall[provider](call, secret);
  if (proof) return proof;
  throw new AppError('forbidden', 'The signature or password of this call is not right. Nothing was done.');
}

async function proveAmazon({ sns }: WebhookContext, { body }: ProviderCall): Promise<Proved> {
  const message = await sns.read(body).catch((cause: Error) => {
    throw cannotReach(cause);
  });
  if (!message)
    throw new AppError('forbidden', 'This is no message that Amazon SNS has signed. Nothing was done.');
  return { once: message.MessageId, at: new Date(message.Timestamp), sns: message };
}

function refuseOld(at: Date | null): void {
  if (at === null) return;
  const age = Date.now() - at.getTime();
  if (!(age < longestDays * dayMs && age > -aheadMs))
    throw new AppError('forbidden', 'This call was signed too long ago. Nothing was done.');
}

/** Confirms the first topic that is set up to call. No other takes its place. */
async function greet(
  context: WebhookContext,
  { workspaceId, provider }: Place,
  sns: SnsMessage,
): Promise<number> {
  if (sns.Type !== 'SubscriptionConfirmation') return 0;
  const isOurs = await context.db.asTenant(workspaceId, (tx) =>
    keepTopic(tx, workspaceId, provider, sns.TopicArn),
  );
  if (!isOurs) throw otherTopic();
  const isConfirmed = await context.sns.confirm(sns).catch((cause: Error) => {
    throw cannotReach(cause);
  });
  if (!isConfirmed) throw new AppError('forbidden', 'Its SubscribeURL does not lead to Amazon SNS.');
  return 0;
}

/** Writes down what is news. Returns false for a call that was taken before. */
async function take(
  tx: TenantTx,
  context: WebhookContext,
  { workspaceId, provider }: Place,
  { once }: Proof,
  events: readonly ProviderEvent[],
): Promise<boolean> {
  if (!(await insertCall(tx, workspaceId, { provider, digest: digestOf(once) }))) return false;
  const sends = await findSends(tx, context, workspaceId, events);
  const news = events.flatMap((event, index): BounceNews[] => {
    const send = sends[index];
    return send ? [{ ...send, verdict: verdictOf(event), source: 'webhook', said: event.said }] : [];
  });
  await context.book.note(tx, workspaceId, news);
  await noteCall(tx, workspaceId, { provider, events: events.length, found: news.length });
  return true;
}

/** Its JSON; nothing where it has none, as in Amazon's greeting of a new topic. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const unknown = () => new AppError('not_found', 'There is no such webhook.');
const otherTopic = () =>
  new AppError('forbidden', 'Another topic of Amazon SNS was confirmed here. Nothing was done.');
const cannotReach = (cause: Error) =>
  new AppError(
    'unavailable',
    cause instanceof NoAnswer ? `Amazon SNS: ${cause.message}` : 'Amazon SNS did not answer.',
    {
      cause,
    },
  );
