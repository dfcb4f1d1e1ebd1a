import { createJudge, type WorkspaceJudgement } from '#features/addresses/rules/judge.ts';
import {
  type DomainEvidence,
  describeVerdictReason,
  type Judgement,
} from '#features/addresses/rules/verdict.ts';
import { idna } from '#features/addresses/server/index.ts';
import { presentContact } from '#features/contacts/rules.ts';
import { selectContacts } from '#features/contacts/server/index.ts';
import type { EmailValidation } from '#features/settings/contract.ts';
import { readSettings } from '#features/settings/server/index.ts';
import type { Database, TenantTx } from '#platform/server/database.ts';
import { AppError } from '#platform/shared/errors.ts';
import type { JudgementAnswer } from '../../contract.ts';
import type { Uses } from '../allowance.ts';
import { selectKnownDomains } from '../domain-queries.ts';
import type { MailServers } from '../mail/mail-servers.ts';

/** Judges one address by the settings. With `evidence`, also by what the DNS said. */
function judgeOne(
  settings: EmailValidation,
  email: string,
  evidence: DomainEvidence | null,
): WorkspaceJudgement {
  return judgeFor(settings)(email, evidence);
}

/** Judges by settings, the last used ones. Each remembers the domains it has judged. */
const judges = new Map<string, ReturnType<typeof createJudge>>();

const mostJudges = 16;

function judgeFor(settings: EmailValidation): ReturnType<typeof createJudge> {
  const key = JSON.stringify([settings.strictValidation, settings.allowedDomains]);
  const known = judges.get(key);
  if (known) return known;
  const made = createJudge({
    strict: settings.strictValidation,
    allowedDomains: settings.allowedDomains,
    idna,
    cacheSlots: 2 ** 10,
  });
  if (judges.size >= mostJudges) judges.delete(judges.keys().next().value ?? '');
  judges.set(key, made);
  return made;
}

/**
 * The verdict on an address that is not stored. Looks its domain up if the settings say so. Throws
 * `rate_limited`.
 */
export async function verifyOne(
  { db, mailServers, uses }: { db: Database; mailServers: MailServers; uses: Uses },
  { workspaceId, userId }: { workspaceId: number; userId: string },
  email: string,
): Promise<JudgementAnswer> {
  const takeOne = async (tx: TenantTx) => {
    const settings = await readSettings(tx, workspaceId);
    await uses.take(tx, workspaceId, userId);
    return settings;
  };
  const { emailValidation } = await db.asTenant(workspaceId, takeOne, { isAside: true });
  const offline = judgeOne(emailValidation, email, null);
  if (!emailValidation.checkMXRecords || offline.domain === null || offline.verdict === 'invalid') {
    return presentJudgement(offline, null, new Date());
  }
  const evidence = await mailServers.find(offline.domain);
  return presentJudgement(judgeOne(emailValidation, email, evidence), evidence, new Date());
}

const fromDns = new Set<string>([
  'no_such_domain',
  'no_mail_server',
  'null_mx',
  'no_mx_record',
  'not_measured',
]);

function presentJudgement(judged: Judgement, evidence: DomainEvidence | null, at: Date): JudgementAnswer {
  const { address, rfcValid, verdict, suggestion, uk, kind, risk } = judged;
  return {
    ...{ address, rfcValid, verdict, suggestion, uk, kind, risk },
    reasons: judged.reasons.map(({ code }) => code),
    evidence: judged.reasons.map((reason) => ({
      reason: reason.code,
      words: describeVerdictReason(reason.code),
      text: reason.evidence,
      checkedAt: evidence && fromDns.has(reason.code) ? evidence.checkedAt : at.toISOString(),
    })),
    factors: judged.factors.map(({ code, points, words }) => ({ reason: code, points, words })),
  };
}

/**
 * Why a contact has its verdict. The verdict is stored; its reasons follow from the address, the
 * settings and the cache.
 */
export async function explainContact(tx: TenantTx, workspaceId: number, id: number) {
  const [stored] = await selectContacts(tx, workspaceId, [id]);
  if (!stored) throw new AppError('not_found', 'This contact is not there any more. Reload the list.');
  const { emailValidation } = await readSettings(tx, workspaceId);
  const { address, domain, verification } = presentContact(stored);
  const [known] = await selectKnownDomains(tx, [domain]);
  const evidence: DomainEvidence | null = known
    ? { state: known.state, via: known.via, checkedAt: known.checkedAt.toISOString() }
    : null;
  const text = stored.state === 1 ? address : `${stored.local}@${stored.domain}`;
  // The stored verdict may have been made with what the DNS said, or without it.
  const isStored = (judged: Judgement) =>
    verification !== null &&
    judged.verdict === verification.verdict &&
    judged.risk === verification.risk &&
    [...new Set(judged.reasons.map(({ code }) => code))].sort().join() ===
      verification.reasons.toSorted().join();
  const offline = judgeOne(emailValidation, text, null);
  const online = evidence ? judgeOne(emailValidation, text, evidence) : offline;
  const judged = isStored(offline) && !isStored(online) ? offline : online;
  const at = verification ? new Date(verification.checkedAt) : new Date();
  const used = judged === online && judged.domain !== null ? evidence : null;
  return { ...presentJudgement(judged, used, at), isStored: isStored(judged), mailServer: used };
}
