import { sql } from 'kysely';
import type { TenantTx } from '#platform/server/database.ts';
import type { SettingsSection } from '../contract.ts';
import type { StoredSettings } from '../rules.ts';

/** The stored sections; none for a workspace that never changed a setting. */
export async function selectSettings(tx: TenantTx, workspaceId: number): Promise<StoredSettings> {
  const { rows } = await sql<StoredSettings>`
    select email_validation as "emailValidation", import, export, sender, retention
    from settings
    where workspace_id = ${workspaceId}`.execute(tx);
  return rows[0] ?? {};
}

/**
 * The stored sections, locked until the transaction ends so that two people's changes come one
 * after the other.
 */
export async function lockSettings(tx: TenantTx, workspaceId: number): Promise<StoredSettings> {
  await sql`insert into settings (workspace_id) values (${workspaceId}) on conflict do nothing`.execute(tx);
  const { rows } = await sql<StoredSettings>`
    select email_validation as "emailValidation", import, export, sender, retention
    from settings
    where workspace_id = ${workspaceId}
    for update`.execute(tx);
  return rows[0] ?? {};
}

const columns: Record<SettingsSection, string> = {
  emailValidation: 'email_validation',
  import: 'import',
  export: 'export',
  sender: 'sender',
  retention: 'retention',
};

/** Merges the given fields into one stored section. Fields that this version does not know stay. */
export async function mergeSection(
  tx: TenantTx,
  workspaceId: number,
  section: SettingsSection,
  values: Record<string, unknown>,
): Promise<void> {
  const column = sql.ref(columns[section]);
  await sql`
    update settings
    set ${column} = case when jsonb_typeof(${column}) = 'object' then ${column} else '{}' end || ${JSON.stringify(values)}::jsonb,
        updated_at = now()
    where workspace_id = ${workspaceId}`.execute(tx);
}
