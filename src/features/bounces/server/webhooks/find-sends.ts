import { splitUnchecked } from '#features/addresses/rules/identity.ts';
import { type References, type ReturnAddresses, sendOfAddress } from '#features/messages/server/index.ts';
import type { SendKey } from '#features/tracking/server/index.ts';
import type { TenantTx } from '#platform/server/database.ts';
import type { ProviderEvent } from '../../rules/providers/events.ts';
import type { BouncedMailings } from '../mailings-port.ts';

/** How a message is found that somebody tells of. */
export interface MessageFinder {
  references: References;
  /** Null: bounces go to the sender's address. */
  returns: ReturnAddresses | null;
  mailings: () => BouncedMailings | undefined;
}

/** Services may tell of the whole message. Its head comes first. */
const mostText = 65_536;
const mostTries = 100;
/** What comes back later than this is not about the last message. */
const recentDays = 14;

/**
 * The message of each event: the one whose return path or Message-ID the service quotes, or else
 * the last one to the address. Null when there is none.
 */
export async function findSends(
  tx: TenantTx,
  finder: MessageFinder,
  workspaceId: number,
  events: readonly ProviderEvent[],
): Promise<(SendKey | null)[]> {
  const quoted = events.map(({ whole }) => quotedIn(finder, workspaceId, whole));
  const unknown = events.filter((_, index) => quoted[index] === null).map(({ email }) => addressOf(email));
  const latest =
    unknown.length > 0 ? await finder.mailings()?.latestTo(tx, workspaceId, unknown, recentDays) : [];
  const byAddress = new Map(latest?.map((send) => [`${send.local}@${send.domain}`, send]));
  return events.map(({ email }, index) => {
    const { local, domain } = addressOf(email);
    return quoted[index] ?? byAddress.get(`${local}@${domain}`) ?? null;
  });
}

function quotedIn(
  { references, returns }: MessageFinder,
  workspaceId: number,
  whole: string,
): SendKey | null {
  let tries = 0;
  for (const [text, name = ''] of whole.slice(0, mostText).matchAll(/([\w+-]{16,90})@[\w.-]{1,253}/g)) {
    if (++tries > mostTries) return null;
    const send = (returns && sendOfAddress(returns, text)) ?? references.fromUrl('view', name);
    // A name of another workspace is none here.
    if (send?.workspaceId === workspaceId) return { mailingId: send.mailingId, sendId: send.sendId };
  }
  return null;
}

const addressOf = (email: string) => {
  const { local, domain } = splitUnchecked(email.trim());
  return { local, domain: domain.toLowerCase() };
};
