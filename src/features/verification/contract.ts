import { z } from 'zod';
import { ukClasses } from '#features/addresses/contract.ts';
import { addressKinds, verdictReasons, verdicts } from '#features/addresses/rules/verdict.ts';
import { selectionWith } from '#features/audience/contract.ts';
import { orTask } from '#features/tasks/contract.ts';
import type { AddedFilters } from '#platform/shared/added-filter.ts';
import { access, endpoint, idParams, itemsOf } from '#platform/shared/contract.ts';

const tag = 'Verification';

export const evidence = z.object({
  reason: z.enum(verdictReasons),
  words: z.string().describe('What the reason means.'),
  text: z.string().describe('What was seen.'),
  checkedAt: z.iso.datetime().describe('When it was seen.'),
});

export const riskFactor = z.object({
  reason: z.string(),
  points: z.number(),
  words: z.string(),
});

export const judgement = z.object({
  address: z.string(),
  rfcValid: z.boolean().describe('An address by RFC 5321, 5322 or 6531, whatever the verdict.'),
  verdict: z.enum(verdicts),
  reasons: z.array(z.enum(verdictReasons)),
  suggestion: z.string().nullable().describe('The address that was probably meant. Never applied by itself.'),
  uk: z.enum(ukClasses).nullable(),
  kind: z.enum(addressKinds).nullable(),
  risk: z.number().int().min(0).max(100),
  evidence: z.array(evidence),
  factors: z.array(riskFactor).describe('What the risk is the sum of.'),
});

export type JudgementAnswer = z.output<typeof judgement>;

export const verifyAddress = endpoint({
  method: 'POST',
  path: '/api/verify',
  access: access.member('viewer', 'verify'),
  summary: 'The verdict on one address by the current settings. Nothing is stored.',
  tag,
  body: z.strictObject({ email: z.string().min(1).max(1000) }),
  response: judgement,
  limits:
    'Unless the operator changed it, one person verifies at most 120 addresses a minute, 60 of them at once (429).',
  writesLittle: true,
});

const tally = z.record(z.string(), z.number().int());

/**
 * The result of a run, or what is known about all contacts: how many have each verdict, reason, UK
 * class and kind.
 */
export const verificationResult = z.object({
  runId: z.number().int().nullable(),
  contacts: z.number().int(),
  verdicts: tally,
  reasons: tally,
  uk: tally,
  kinds: tally,
  suggestions: z
    .number()
    .int()
    .describe('Contacts with a suggested correction that nobody has accepted or dismissed.'),
  sharedMailboxes: z
    .number()
    .int()
    .describe(
      'Mailboxes that two or more contacts share, unless somebody has said that they are different people.',
    ),
  domains: z
    .object({ asked: z.number().int(), unknown: z.number().int() })
    .nullable()
    .describe('Domains whose mail servers were looked up, and those nobody answered for; null without DNS.'),
});

export type VerificationResult = z.output<typeof verificationResult>;

/** The calls of a product whose features add these filters. They take no others. */
export const verificationCalls = (added: AddedFilters) => ({
  startVerification: endpoint({
    method: 'POST',
    path: '/api/verifications',
    access: access.member('editor', 'verify'),
    summary: 'Verify all contacts, or those selected. Answers when done.',
    tag,
    body: z.strictObject({
      selection: selectionWith(added).optional().describe('Absent: all contacts.'),
      dns: z
        .boolean()
        .optional()
        .describe('Look up mail servers. Absent: as the setting checkMXRecords says.'),
    }),
    ...orTask(verificationResult),
  }),
});

/** The same for callers. The server decides which filters there are. */
export const { startVerification } = verificationCalls({});

export const verificationRun = z.object({
  id: z.number().int(),
  taskId: z.number().int(),
  whole: z.boolean().describe('True: of all contacts there were.'),
  dns: z.boolean(),
  result: verificationResult,
  startedBy: z.string().nullable(),
  startedAt: z.iso.datetime(),
  finishedAt: z.iso.datetime(),
});

export type VerificationRun = z.output<typeof verificationRun>;

const paging = z.object({
  page: z.coerce.number().int().min(1).max(1_000_000).default(1),
  limit: z.coerce.number().int().min(1).max(100).default(20),
});

export const listVerifications = endpoint({
  method: 'GET',
  path: '/api/verifications',
  access: access.member('viewer', 'verify'),
  summary: 'Runs that have ended, newest first, with what came of them.',
  tag,
  query: paging,
  response: itemsOf(verificationRun),
});

export const getVerification = endpoint({
  method: 'GET',
  path: '/api/verifications/:id',
  access: access.member('viewer', 'verify'),
  summary: 'One run and what came of it.',
  tag,
  params: idParams,
  response: verificationRun,
});

export const verificationSummary = endpoint({
  method: 'GET',
  path: '/api/verifications/summary',
  access: access.member('viewer', 'verify'),
  summary: 'What is known of all contacts now, from rollups.',
  tag,
  response: verificationResult.omit({ runId: true, domains: true }).extend({
    total: z.number().int().describe('All contacts, verified or not.'),
  }),
});

export const contactEvidence = endpoint({
  method: 'GET',
  path: '/api/emails/:id/verification',
  access: access.member('viewer', 'verify'),
  summary:
    'Why a contact has its verdict: judged anew by the current settings, with what is already known of its domain.',
  tag,
  params: idParams,
  response: judgement.extend({
    isStored: z.boolean().describe('False when the stored verdict is another: verify the contact again.'),
    mailServer: z
      .object({
        state: z.enum(['mail', 'no_mail', 'null_mx', 'no_such_domain', 'unknown']),
        via: z.enum(['mx', 'address']).nullable(),
        checkedAt: z.iso.datetime(),
      })
      .nullable()
      .describe(
        'What the domain name system said of the domain, and when; null where nobody has asked of late.',
      ),
  }),
});

export type ContactEvidence = z.output<typeof contactEvidence.response>;
