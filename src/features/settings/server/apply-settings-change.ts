import { recordActivity } from '#features/activities/server/index.ts';
import { recordAudit } from '#features/audit/server/index.ts';
import type { TenantTx } from '#platform/server/database.ts';
import { type Settings, type SettingsChange, type SettingsSection, settingsSections } from '../contract.ts';
import { changedFields, completeSettings } from '../rules.ts';
import { lockSettings, mergeSection } from './queries.ts';
import { readSettings } from './read-settings.ts';

const sectionNames: Record<SettingsSection, string> = {
  emailValidation: 'Email validation',
  import: 'Import',
  export: 'Export',
  sender: 'Sender identity',
  retention: 'Retention',
};

/**
 * Changes the one section in `change` and returns all settings. Writing the current values records
 * nothing.
 */
export async function applySettingsChange(
  tx: TenantTx,
  workspaceId: number,
  change: SettingsChange,
  actor: string,
): Promise<Settings> {
  const before = completeSettings(await lockSettings(tx, workspaceId));
  const section = settingsSections.find((name) => change[name] !== undefined);
  if (!section) return before;
  const changes = changedFields(before[section], change[section] ?? {});
  if (Object.keys(changes).length === 0) return before;
  await mergeSection(tx, workspaceId, section, change[section] ?? {});
  await recordAudit(tx, workspaceId, {
    actor,
    action: 'settings.changed',
    subject: `settings:${section}`,
    details: { changes },
  });
  await recordActivity(tx, workspaceId, {
    action: 'Settings Updated',
    details: `${sectionNames[section]} settings were changed`,
    status: 'completed',
    icon: 'settings',
    iconColor: 'primary',
    actor,
  });
  return readSettings(tx, workspaceId);
}
