import { type RawBuilder, sql } from 'kysely';
import { neutralised } from '#platform/server/csv-copy.ts';
import type { SystemDb } from '#platform/server/database.ts';
import { isoTime } from '#platform/server/iso-time.ts';

export interface ListExport {
  kind: 'emails' | 'domains';
  form: 'plain' | 'md5' | 'sha1' | 'sha256';
}

const date = sql`${isoTime(sql`created_at`)} as date`;
const address = sql`case when domain = '' then local else local || '@' || domain end`;

/**
 * The COPY that sends a list as CSV, oldest first. Our own import reads it back with the same
 * reasons and dates. An export of hashes includes the entries known only by such a hash. COPY takes
 * no parameters, so everything is a literal.
 */
export function exportStatement(db: SystemDb, workspaceId: number, { kind, form }: ListExport): string {
  const workspace = sql.lit(workspaceId);
  let rows: RawBuilder<unknown>;
  if (kind === 'domains') {
    rows = sql`select domain, reason, ${date}, ${neutralised(sql`note`)} as note
      from domain_suppressions where workspace_id = ${workspace} order by id`;
  } else if (form === 'plain') {
    rows = sql`select ${neutralised(address)} as email, reason, ${date}, ${neutralised(sql`note`)} as note
      from suppressions where workspace_id = ${workspace} order by id`;
  } else {
    const hash = sql.lit(form);
    rows = sql`
      select encode(hash, 'hex') as ${sql.ref(form)},
        (array_agg(reason order by reason_weight(reason) desc, date))[1] as reason, min(date) as date from (
        select address_hash(${hash}, local, domain, null) as hash, reason, ${date}
        from suppressions where workspace_id = ${workspace} and domain <> ''
        union all
        select hash, reason, ${date} from suppression_hashes where workspace_id = ${workspace} and kind = ${hash}
      ) entries group by hash`;
  }
  const compiled = rows.compile(db);
  if (compiled.parameters.length > 0) throw new Error('a COPY takes no parameters');
  const quoted = kind === 'emails' && form !== 'plain' ? '' : ', force_quote (note)';
  return `copy (${compiled.sql}) to stdout (format csv, header true${quoted})`;
}
