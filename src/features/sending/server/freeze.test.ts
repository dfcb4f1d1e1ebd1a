import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { openSendingApp } from '#test/support/sending-app.ts';

const app = openSendingApp({ people: 1 });

it('a campaign whose recipients cannot be written down is cancelled, and over', async () => {
  const { system } = app.test.owner;
  await sql`
    create function refuse() returns trigger language plpgsql as
      $$ begin raise exception 'these people are broken'; end $$`.execute(system);
  await sql`create trigger refuse before insert on send_parts for each row execute function refuse()`.execute(
    system,
  );
  const id = await app.send();
  // As long as it is not over, everybody who looks for messages to send looks at it.
  await app.stands(id, {
    ...{ status: 'cancelled', notice: expect.any(String), endedAt: expect.any(String), totalRecipients: 0 },
  });
});
