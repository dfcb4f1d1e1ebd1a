import { splitUnchecked } from '#features/addresses/rules/identity.ts';
import { type References, type ReturnAddresses, sendOfAddress } from '#features/messages/server/index.ts';
import type { SendKey, TrackedSends } from '#features/tracking/server/index.ts';
import type { TenantTx } from '#platform/server/database.ts';
import type { ProviderEvent } from '../../rules/providers/events.ts';
import type { BouncedMailings } from '../mailings-port.ts';

/** How a message is found that somebody tells of. */
export interface MessageFinder {
  references: References;
  /** Null: bounces go to the sender's address. */
  returns: ReturnAddresses | null;
  sends: () => TrackedSends | undefined;
  mailings: () => BouncedMailings | undefined;
}

/** Services may tell of the whole message. Its head comes first. */
const mostText = 65_536;
const mostTries = 100;
/** What comes back later than this is not about the last message. */
const recentDays = 14;

interface Address {
  local: string;
  domain: string;
}

/**
 * The message of each event: one to the address that it names, whose return path or Message-ID the
 * service quotes, or else the last one to the address. Null when there is none. What is quoted to
 * another address counts for nothing: the words of the recipient's server are quoted too, and it
 * may write there what it likes.
 *
 * Where the service tells nothing but its own record of the message, that one counts, whatever the
 * address: it may be one to which the recipient's server has passed the message on.
 */
export async function findSends(
  tx: TenantTx,
  finder: MessageFinder,
  workspaceId: number,
  events: readonly ProviderEvent[],
): Promise<(SendKey | null)[]> {
  const told = events.map(({ email, whole, isOwnRecord }) => ({
    isOwnRecord,
    address: addressOf(email),
    quoted: quotedIn(finder, workspaceId, whole),
  }));
  const named = told.flatMap(({ quoted }) => quoted);
  const there = named.length > 0 ? await finder.sends()?.find(tx, workspaceId, named) : [];
  const byKey = new Map(there?.map((send) => [keyOf(send), send]));
  const own = told.map(({ isOwnRecord, address, quoted }) => {
    const sends = quoted.flatMap((send) => byKey.get(keyOf(send)) ?? []);
    return sends.find((send) => isOwnRecord || writtenOf(send) === writtenOf(address)) ?? null;
  });
  const unknown = told.flatMap(({ address }, place) => (own[place] ? [] : [address]));
  const latest =
    unknown.length > 0 ? await finder.mailings()?.latestTo(tx, workspaceId, unknown, recentDays) : [];
  const byAddress = new Map(latest?.map((send) => [writtenOf(send), send]));
  return told.map(({ address }, place) => own[place] ?? byAddress.get(writtenOf(address)) ?? null);
}

const keyOf = ({ mailingId, sendId }: SendKey): string => `${mailingId}/${sendId}`;
const writtenOf = ({ local, domain }: Address): string => `${local}@${domain}`;

/** The messages of the workspace that a text quotes. */
function quotedIn(
  { references, returns }: MessageFinder,
  workspaceId: number,
  whole: string,
): readonly SendKey[] {
  const quoted = [...whole.slice(0, mostText).matchAll(/([\w+-]{16,90})@[\w.-]{1,253}/g)];
  return quoted.slice(0, mostTries).flatMap(([text, name = '']) => {
    const send = (returns && sendOfAddress(returns, text)) ?? references.fromUrl('view', name);
    // A name of another workspace is none here.
    return send?.workspaceId === workspaceId ? [{ mailingId: send.mailingId, sendId: send.sendId }] : [];
  });
}

const addressOf = (email: string): Address => {
  const { local, domain } = splitUnchecked(email.trim());
  return { local, domain: domain.toLowerCase() };
};
