import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { canBeRepeated } from '#platform/server/idempotency.ts';
import type { EndpointDefinition } from '#platform/shared/contract.ts';
import { openTestApp, type TestApp } from '#test/support/app.ts';
import { type OwnRows, ownRows } from '#test/support/own-rows.ts';
import { allEndpoints, nameOf, requestOf, sampleOf } from '#test/support/sample-calls.ts';
import { signUp } from '#test/support/sign-in.ts';

/**
 * A call with an `Idempotency-Key` writes its answer in the transaction that does its work
 * (decision 23). An answer written afterwards is lost when the process dies in between.
 */

let test: TestApp;
let rows: OwnRows;

/** Calls whose answer is known only after their transaction, and why. */
const late: Record<string, string> = {
  'POST /api/campaigns/:id/test': 'a mail server answers after it',
  'POST /api/imports/:id/check': 'a file is read after it',
  'POST /api/imports/:id/run': 'a file is read after it',
  'POST /api/sender-domains/:id/check': 'name servers answer after it',
  'POST /api/smtp-servers/:id/test': 'a mail server answers after it',
  'POST /api/templates/:id/test': 'a mail server answers after it',
};

/** Calls whose samples cannot succeed, so that nothing is seen of their answer, and why. */
const unseen: Record<string, string> = {
  'POST /api/bounces/mails/:id/read': 'no such mail has come back',
  'POST /api/campaigns/:id/recipients/:recipient/send-again': 'the answer to no message was lost',
  'POST /api/campaigns/:id/recipients/send-again': 'the answer to no message was lost',
  'POST /api/campaigns/:id/winner': 'its recipients are not written down yet',
  'POST /api/sender-domains/:id/rotate-key': 'name servers have not shown its record',
  'POST /api/tasks/:id/cancel': 'the task has ended',
  'POST /api/team/leave': 'the only owner must stay',
};

beforeAll(async () => {
  test = await openTestApp({ SMTP_URL: 'smtp://127.0.0.1:9' });
  test.tasks.startWork();
  rows = ownRows(test, await signUp(test.app), 'millbank');
  // Notes answers that come after the work. A task's result takes the place of an interim answer.
  await sql`create table late_answers (key text)`.execute(test.owner.system);
  await sql`
    create function note_late() returns trigger language plpgsql security definer as
      $$ begin insert into late_answers values (new.key); return new; end $$`.execute(test.owner.system);
  await sql`
    create trigger note_late after update on idempotency_keys for each row
    when (old.done_at is not null and old.status is null and new.status is not null)
    execute function note_late()`.execute(test.owner.system);
});
afterAll(() => test?.close());

const changes = (definition: EndpointDefinition) => sampleOf(definition).changesCaller ?? false;
const repeatable = allEndpoints()
  .map(({ definition }) => definition)
  .filter(canBeRepeated)
  // What changes the caller comes last, because it may take rights away.
  .sort((one, other) => Number(changes(one)) - Number(changes(other)));

it('each answer is written in the transaction that does the work', async () => {
  expect(repeatable.length).toBeGreaterThan(40);
  const refused: string[] = [];
  for (const definition of repeatable) {
    const name = nameOf(definition);
    const request = requestOf(definition, (await sampleOf(definition).make?.(rows, rows.owner, test)) ?? {});
    // Only a mail that has failed may be sent again.
    await sql`update outbox set status = 'failed'`.execute(test.owner.system);
    // Tests go to confirmed addresses.
    await sql`update users set email_verified = true`.execute(test.owner.system);
    const headers = {
      ...request.headers,
      cookie: rows.owner.cookie,
      'idempotency-key': name.replace(' ', ':'),
    };
    const answer = await test.app.inject({ ...request, headers });
    if (answer.statusCode >= 300) refused.push(name);
  }
  expect(refused.sort()).toEqual(Object.keys(unseen));
  const { rows: found } = await sql<{ key: string }>`select key from late_answers order by key`.execute(
    test.owner.system,
  );
  expect(found.map(({ key }) => key.replace(':', ' '))).toEqual(Object.keys(late));
}, 120_000);
