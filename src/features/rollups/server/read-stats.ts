import type { TenantTx } from '#platform/server/database.ts';
import { percentChange } from '../rules.ts';
import { selectCounts, selectHistory } from './stats-queries.ts';

const historyDays = 30;

export async function readStats(tx: TenantTx, workspaceId: number) {
  const counts = await selectCounts(tx, workspaceId);
  const days = await selectHistory(tx, workspaceId, historyDays);
  return {
    validEmails: counts.active,
    validEmailsChange: percentChange(counts.activeBeforeImport, counts.active),
    validEmailsBeforeImport: counts.activeBeforeImport,
    suppressedEmails: counts.suppressed,
    invalidEmails: counts.invalid,
    duplicateEmails: counts.duplicate,
    uniqueDomains: counts.domains,
    totalEmails: counts.total,
    history: {
      days: days.map((day) => day.day),
      valid: days.map((day) => day.active),
      suppressed: days.map((day) => day.suppressed),
      invalid: days.map((day) => day.invalid),
      domains: days.map((day) => day.domains),
    },
  };
}
