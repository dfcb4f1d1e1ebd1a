import { beforeAll, expect, it } from 'vitest';
import { openSendingApp } from '#test/support/sending-app.ts';
import { signUp } from '#test/support/sign-in.ts';

// Two workspaces have big campaigns under way, as many parts as a process works on at once.

const many = 2_000;
const few = 30;
const app = openSendingApp();

beforeAll(() => {
  app.peer.delayMs = 200;
});

it('the small campaign of a third workspace is finished long before the big ones', async () => {
  const bigOnes = [await signUp(app.test.app), await signUp(app.test.app)];
  for (const who of bigOnes) await app.bring(many, 'shop.co.uk', who);
  await app.bring(few);
  const sent = await Promise.all(bigOnes.map(async (who) => ({ who, id: await app.send({}, who) })));
  for (const { who, id } of sent)
    await expect
      .poll(async () => (await app.call('GET', `/api/campaigns/${id}`, undefined, who)).sent)
      .toBeGreaterThan(20);
  const small = await app.send();
  await app.stands(small, { status: 'completed', sent: few });
  const shares = await Promise.all(
    sent.map(({ who, id }) => app.call('GET', `/api/campaigns/${id}`, undefined, who)),
  );
  for (const campaign of shares) {
    expect(campaign).toMatchObject({ status: 'sending' });
    expect(campaign.sent).toBeLessThan(many / 2);
    expect(campaign.pending).toBeGreaterThan(many / 2);
  }
  // Both go on, and neither waits for the other.
  const [one, other] = shares.map((campaign) => campaign.sent as number);
  expect(Math.min(one as number, other as number) * 3).toBeGreaterThan(
    Math.max(one as number, other as number),
  );
  for (const { who, id } of sent) await app.call('POST', `/api/campaigns/${id}/cancel`, undefined, who);
}, 60_000);
