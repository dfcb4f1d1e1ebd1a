import { recordActivity } from '#features/activities/server/index.ts';
import { recordAudit } from '#features/audit/server/index.ts';
import { limitAttempts } from '#features/sign-in/server/index.ts';
import type { TenantTx } from '#platform/server/database.ts';
import { AppError } from '#platform/shared/errors.ts';
import { twoFactorRuleProblem } from '../rules.ts';
import { type Actor, lockTeam, type Team, type TeamParts } from './members.ts';
import { tellMember } from './tell-member.ts';
import { updateTwoFactorRule } from './workspace-queries.ts';

const hour = 3_600_000;
/** The rule may change as often as somebody likes; each time could be a mail to each member. */
const mostMailingsAnHour = 5;

/**
 * Requires two-factor sign-in of the members, or stops requiring it. Takes effect on everybody's
 * next call.
 */
export async function setTwoFactorRule(
  parts: TeamParts,
  actor: Actor,
  required: boolean,
): Promise<{ requireTwoFactor: boolean; membersWithout: number }> {
  const { db, mail } = parts;
  const membersWithout = await db.asTenant(actor.workspaceId, async (tx) => {
    const team = await lockTeam(parts, tx, actor);
    const problem = twoFactorRuleProblem(team.self, required);
    if (problem !== null) throw new AppError(problem.code, problem.message);
    const without = team.rows.filter(({ twoFactor }) => !twoFactor);
    if (await updateTwoFactorRule(tx, actor.workspaceId, required)) {
      await record(tx, actor, required, without.length);
      if (required && (await mayTell(tx, actor.workspaceId))) await tell(tx, mail, actor, team);
    }
    return without.length;
  });
  mail.hurry();
  return { requireTwoFactor: required, membersWithout };
}

async function record(tx: TenantTx, actor: Actor, required: boolean, membersWithout: number): Promise<void> {
  await recordAudit(tx, actor.workspaceId, {
    actor: actor.email,
    action: required ? 'workspace.two_factor_required' : 'workspace.two_factor_optional',
    subject: 'workspace',
    details: required ? { membersWithout } : {},
  });
  await recordActivity(tx, actor.workspaceId, {
    action: required ? 'Two-Factor Required' : 'Two-Factor Optional',
    details: required
      ? 'Everybody in this workspace now needs two-factor sign-in'
      : 'Two-factor sign-in is no longer needed in this workspace',
    status: 'completed',
    icon: 'shield-lock',
    iconColor: 'primary',
    actor: actor.email,
    link: '/team',
    notify: true,
  });
}

/** Counts a mailing to the members. False when there have been too many. */
async function mayTell(tx: TenantTx, workspaceId: number): Promise<boolean> {
  const limit = { kind: 'two-factor-rule', most: mostMailingsAnHour, windowMs: hour };
  try {
    await limitAttempts(tx, { ...limit, who: String(workspaceId) });
    return true;
  } catch (error) {
    if (error instanceof AppError && error.kind === 'rate_limited') return false;
    throw error;
  }
}

/** Members without it would otherwise find out when they are locked out. */
async function tell(tx: TenantTx, mail: TeamParts['mail'], actor: Actor, team: Team): Promise<void> {
  for (const { email, twoFactor } of team.rows) {
    if (twoFactor) continue;
    await tellMember(tx, mail, {
      to: email,
      kind: 'notice',
      workspaceId: actor.workspaceId,
      subject: `${team.workspace} now asks for two-factor sign-in`,
      content: {
        title: `${team.workspace} now asks for two-factor sign-in`,
        paragraphs: [
          `${actor.name} (${actor.email}) decided that everybody in the workspace ${team.workspace} signs in with a second factor: a code from an app, besides the password.`,
          'You have none yet. Until you set it up you cannot work in this workspace; nothing of yours is lost.',
        ],
        button: { label: 'Set it up', url: `${mail.publicUrl}/account?open=two-factor` },
        reason: 'You get this mail because you are a member of the workspace.',
      },
    });
  }
}
