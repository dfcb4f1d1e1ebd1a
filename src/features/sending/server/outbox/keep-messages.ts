import { promisify } from 'node:util';
import { zstdCompress } from 'node:zlib';
import { sql } from 'kysely';
import type { TenantTx } from '#platform/server/database.ts';
import type { WrittenMessage } from '../engine/writer.ts';
import type { PartRow } from '../part-queries.ts';

const compress = promisify(zstdCompress);

/** Puts messages into the outbox. One that is there stays as it is. */
export async function keepMessages(
  tx: TenantTx,
  { workspaceId, mailingId }: PartRow,
  messages: readonly WrittenMessage[],
): Promise<void> {
  if (messages.length === 0) return;
  const sources = await Promise.all(messages.map(({ raw }) => compress(raw)));
  await sql`
    insert into outbox_messages (workspace_id, mailing_id, send_id, recipient, subject, source)
    select ${workspaceId}, ${mailingId}, id, recipient, subject, source
    from unnest(${messages.map(({ id }) => id)}::bigint[], ${messages.map(({ recipient }) => recipient)}::text[],
      ${messages.map(({ subject }) => subject)}::text[], ${sources}::bytea[]) m(id, recipient, subject, source)
    on conflict do nothing`.execute(tx);
}
