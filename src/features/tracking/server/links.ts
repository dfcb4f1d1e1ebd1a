import { sql } from 'kysely';
import type { References } from '#features/messages/server/index.ts';
import type { TenantTx } from '#platform/server/database.ts';

/** A link of a template, in the order of its part. */
export interface LinkOfTemplate {
  part: string;
  index: number;
  /** As the template writes it, with its Liquid. */
  url: string;
}

/**
 * The links whose clicks are counted, with their numbers. A link with Liquid in it has another
 * target for each reader; it stays as it is, since only stored targets are led to.
 */
export function countedLinks(links: readonly LinkOfTemplate[]): (LinkOfTemplate & { number: number })[] {
  return links
    .filter(({ part, url }) => (part === 'html' || part === 'text') && isCounted(url))
    .map((link, place) => ({ ...link, number: place + 1 }));
}

const isCounted = (url: string): boolean =>
  /^https?:\/\//i.test(url.trim()) && !/\{[{%]/.test(url) && URL.canParse(targetOf(url));

/** The address as a browser goes to it. In HTML, an ampersand is written as an entity. */
export const targetOf = (url: string): string => url.trim().replaceAll('&amp;', '&');

/** Stores the targets of a mailing's links. Others are never led to. */
export async function storeLinks(
  tx: TenantTx,
  workspaceId: number,
  mailingId: number,
  links: readonly LinkOfTemplate[],
): Promise<void> {
  const counted = countedLinks(links);
  if (counted.length === 0) return;
  await sql`
    insert into mailing_links (workspace_id, mailing_id, number, part, url)
    select ${workspaceId}, ${mailingId}, number, part, url
    from unnest(${counted.map(({ number }) => number)}::int[], ${counted.map(({ part }) => part)}::text[],
      ${counted.map(({ url }) => targetOf(url))}::text[]) l(number, part, url)`.execute(tx);
}

/** The addresses in one message. */
export interface MessageLinks {
  unsubscribe: string;
  preferences: string;
  view: string;
  pixel: string;
  /** Of a counted link, by its number. */
  click(number: number): string;
}

/** The addresses in the messages of a mailing. Cheap: a signature for each. */
export function messageLinks(
  { publicUrl, references }: { publicUrl: string; references: References },
  { workspaceId, mailingId, sendId }: { workspaceId: number; mailingId: number; sendId: number },
): MessageLinks {
  const reference = { workspaceId, mailingId, sendId, part: 0 };
  return {
    unsubscribe: `${publicUrl}/u/${references.url('unsubscribe', reference)}`,
    preferences: `${publicUrl}/p/${references.url('preferences', reference)}`,
    view: `${publicUrl}/v/${references.url('view', reference)}`,
    pixel: `${publicUrl}/o/${references.url('open', reference)}`,
    click: (number) => `${publicUrl}/c/${references.url('click', { ...reference, part: number })}`,
  };
}
