import type { SystemDb } from '#platform/server/database.ts';
import type { Role } from '#platform/shared/contract.ts';
import type { Mail } from '../contract.ts';
import type { MailRow } from './queries.ts';

/** Somebody who reads the outbox of a workspace. */
export interface OutboxReader {
  workspaceId: number;
  role: Role;
}

/**
 * Which of these links of invitations must stay hidden from a reader, because they let in with a
 * role that the reader may not give.
 */
export type LinksHidden = (
  db: SystemDb,
  reader: OutboxReader,
  links: readonly string[],
) => Promise<ReadonlySet<string>>;

/** Mail as a member of its workspace may read it. */
export async function shownTo(
  db: SystemDb,
  reader: OutboxReader,
  rows: readonly MailRow[],
  { hasMailServer, linksHidden }: { hasMailServer: boolean; linksHidden: LinksHidden | undefined },
): Promise<Mail[]> {
  const links = rows.flatMap(({ kind, link }) => (kind === 'invitation' && link !== null ? [link] : []));
  const hidden = links.length > 0 && linksHidden ? await linksHidden(db, reader, links) : new Set<string>();
  return rows.map((row) => {
    const isOfAccount = row.kind === 'password_reset' || row.kind === 'email_proof';
    const isSecret = (isOfAccount && hasMailServer) || (row.link !== null && hidden.has(row.link));
    return presented(row, isSecret);
  });
}

/**
 * Mail as the administrator may read it. With a mail server, mail reaches its reader, and links
 * that let somebody in are for that reader alone. Without one, the administrator passes them on.
 */
export function shownToAdministrator(row: MailRow, hasMailServer: boolean): Mail {
  const letsIn = row.kind === 'password_reset' || row.kind === 'email_proof' || row.kind === 'invitation';
  return presented(row, hasMailServer && letsIn);
}

function presented(row: MailRow, isSecret: boolean): Mail {
  const { recipient: to, createdAt, nextTryAt, sentAt, text, html, link, workspaceId: _, ...rest } = row;
  return {
    ...rest,
    to,
    text: isSecret ? null : text,
    // The product's own mail says the same in both.
    html: row.kind === 'test' ? html : null,
    link: isSecret ? null : link,
    createdAt: createdAt.toISOString(),
    nextTryAt: nextTryAt?.toISOString() ?? null,
    sentAt: sentAt?.toISOString() ?? null,
  };
}
