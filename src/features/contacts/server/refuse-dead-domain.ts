import { type DeadDomain, describeDeadDomain } from '#features/addresses/rules/dead-domain.ts';
import { readSettings } from '#features/settings/server/index.ts';
import type { Database } from '#platform/server/database.ts';
import { AppError } from '#platform/shared/errors.ts';
import { parserFor } from './parser.ts';
/** Why no mail can be sent to a domain. Null when it can be, or when no answer comes in time. */
export type WhyDead = (domain: string) => Promise<DeadDomain | null>;

/**
 * Refuses an address whose domain takes no mail, just as an import leaves out such rows. Applies
 * only if the workspace checks mail servers, and never because no answer came. Throws
 * `invalid_input`.
 */
export async function refuseDeadDomain(
  db: Database,
  workspaceId: number,
  email: string,
  whyDead: WhyDead,
): Promise<void> {
  const { emailValidation } = await db.asTenant(workspaceId, (tx) => readSettings(tx, workspaceId));
  if (!emailValidation.checkMXRecords) return;
  const parsed = parserFor(emailValidation.strictValidation).parse(email);
  const reason = parsed.ok ? await whyDead(parsed.domain) : null;
  if (!parsed.ok || reason === null) return;
  const message = `${describeDeadDomain(reason)}: ${parsed.domain}. Check the spelling. To add it all the same, turn off “Check MX records” in Settings.`;
  throw new AppError('invalid_input', message, { fields: { email: message } });
}
