import type { Mailer } from '#features/mail/server/index.ts';
import { limitAttempts } from '#features/sign-in/server/index.ts';
import { memberAddresses } from '#features/team/server/index.ts';
import type { Database, TenantTx } from '#platform/server/database.ts';
import type { Call } from '#platform/server/http.ts';
import type { ResponseOf } from '#platform/shared/contract.ts';
import { AppError } from '#platform/shared/errors.ts';
import { type sendTest as endpoint, testsAnHour } from '../../contract/test-send.ts';
import { compileTemplate, fill } from '../../rules/compile.ts';
import { FillError } from '../../rules/liquid/run.ts';
import { knownFieldsOf } from '../fields/known-fields-of.ts';
import { sourceOf } from '../fill-template.ts';
import { needTemplate } from '../find-template.ts';
import { keepVersion, lockTemplate } from '../queries.ts';
import { mergeData, refuseContact } from '../rendering/merge-data.ts';
import { note } from '../save-template.ts';
import { type Writer, writerOf } from '../writer.ts';

const hour = 3_600_000;

/**
 * Puts a filled template into the outbox for members of the workspace. Throws `invalid_input` for
 * other addresses and for a template that cannot be filled, and `rate_limited`.
 */
export async function sendTest(
  db: Database,
  mail: Mailer,
  { workspaceId, caller, params, body }: Call<typeof endpoint>,
): Promise<ResponseOf<typeof endpoint>> {
  refuseContact(caller, body.contactId);
  const limit = { kind: 'template-test', who: String(workspaceId), most: testsAnHour, windowMs: hour };
  await limitAttempts(db.system, limit);
  const to = [...new Set(body.to)];
  const members = await memberAddresses(db.system, workspaceId);
  const writer = writerOf(workspaceId, caller);
  // Without a mail server nothing leaves the outbox, nor does a link to confirm an address.
  const confirmed = mail.hasMailServer
    ? await memberAddresses(db.system, workspaceId, { confirmed: true })
    : members;
  const check = () => {
    refuseStrangers(to, members);
    refuseUnconfirmed(to, confirmed, caller.email);
  };
  await db.asTenant(workspaceId, (tx) => putTests(tx, mail, { writer, id: params.id, ...body, to, check }));
  mail.hurry();
  return { sent: to.length, isKept: !mail.hasMailServer };
}

/** A test must not become a way to write to people without their consent. */
export function refuseStrangers(to: readonly string[], members: readonly string[]): void {
  const own = new Set(members.map((address) => address.toLowerCase()));
  const strangers = to.filter((address) => !own.has(address));
  if (strangers.length === 0) return;
  const who = strangers.length === 1 ? 'is not a member' : 'are not members';
  const message = `${strangers.join(', ')} ${who} of this workspace. A test goes to members only: invite others first.`;
  throw new AppError('invalid_input', message, { fields: { to: message } });
}

/**
 * Anybody may sign up with the address of a stranger. Nothing that they write goes there before its
 * owner has confirmed it.
 */
export function refuseUnconfirmed(to: readonly string[], confirmed: readonly string[], own: string): void {
  const known = new Set(confirmed.map((address) => address.toLowerCase()));
  const others = to.filter((address) => !known.has(address));
  if (others.length === 0) return;
  const message = others.includes(own.toLowerCase())
    ? 'Confirm your address first, under Your account: a test goes to confirmed addresses only.'
    : `${others.join(', ')} ${others.length === 1 ? 'has' : 'have'} not been confirmed. A test goes to confirmed addresses only.`;
  throw new AppError('invalid_input', message, { fields: { to: message } });
}

interface Test {
  writer: Writer;
  id: number;
  to: readonly string[];
  /** Throws when the test may not go there. */
  check: () => void;
  subject?: string | undefined;
  contactId?: number | undefined;
}

async function putTests(tx: TenantTx, mail: Mailer, { writer, id, to, check, subject, contactId }: Test) {
  const { workspaceId } = writer;
  await lockTemplate(tx, workspaceId, id);
  const template = await needTemplate(tx, workspaceId, id);
  check();
  const { data } = await mergeData(tx, workspaceId, contactId);
  const known = await knownFieldsOf(tx, workspaceId);
  const { htmlContent, textContent, name } = template;
  const source = { ...sourceOf(htmlContent, textContent), subject: subject || plain(name) };
  const filled = filledOrRefused(source, data, known);
  const message = { html: filled.html, text: filled.text };
  for (const address of to)
    await mail.send(tx, {
      to: address,
      kind: 'test',
      workspaceId,
      subject: `[Test] ${filled.subject || name}`,
      message,
    });
  await keepVersion(tx, workspaceId, template, { isMeant: false });
  await note(tx, writer, 'template.test_sent', id, { name, to: to.join(', ') });
}

/** A name is no template: what looks like Liquid in it stands there as it is. */
const plain = (name: string): string => name.replace(/\{(?=[{%])/g, '{ ');

function filledOrRefused(
  ...[source, data, known]: [Parameters<typeof compileTemplate>[0], object, string[]]
) {
  const compiled = compileTemplate(source, known);
  const [problem] = compiled.problems;
  if (problem) {
    const place = problem.part === 'subject' ? 'Subject' : `Line ${problem.line}`;
    throw new AppError('invalid_input', `The template cannot be filled yet. ${place}: ${problem.words}`);
  }
  try {
    return fill(compiled, data as Record<string, unknown>);
  } catch (error) {
    if (!(error instanceof FillError)) throw error;
    throw new AppError('invalid_input', `The template cannot be filled yet. ${error.message}`);
  }
}
