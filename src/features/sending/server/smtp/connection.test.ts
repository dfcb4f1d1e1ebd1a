import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openSmtpPeer, type SmtpPeer, type Treatment } from '#test/support/smtp-peer.ts';
import { SmtpConnection } from './connection.ts';
import { serverOfUrl } from './server.ts';

// What a server has said counts, however it ends the connection.

let peer: SmtpPeer;
beforeAll(async () => {
  peer = await openSmtpPeer();
});
beforeEach(() => {
  Object.assign(peer, { taken: [], refusesSenders: false, hangsUpOnRefusal: false });
  peer.mostOfSession = Number.POSITIVE_INFINITY;
});
afterAll(() => peer.close());

const timeouts = { connectMs: 5_000, replyMs: 5_000, endMs: 5_000 };
const message = {
  ...{ from: 'news@harbour.co.uk', to: 'jane@shop.co.uk', needsSmtpUtf8: false },
  raw: Buffer.from('Subject: News\r\n\r\nDear Jane\r\n'),
};
const connect = () => SmtpConnection.open(serverOfUrl(peer.url), { name: 'test', timeouts });

describe.each([true, false])('with pipelining (%s)', (offersPipelining) => {
  beforeEach(() => {
    Object.assign(peer, { offersPipelining });
  });

  it.each<[phase: string, treatment: Treatment, refusesSenders: boolean, code: number]>([
    ['sender', 'take', true, 550],
    ['recipient', 'never', false, 550],
    ['recipient', 'later', false, 451],
    ['data', 'no data', false, 451],
    ['message', 'refuse', false, 554],
  ])(
    'a refusal of the %s (%s) stands when the server hangs up after it',
    async (phase, treatment, refusesSenders, code) => {
      Object.assign(peer, { treat: () => treatment, refusesSenders });
      const stays = await connect();
      expect(await stays.send(message)).toMatchObject({ kind: 'refused', phase, reply: { code } });
      expect(stays.isUsable).toBe(true);
      peer.hangsUpOnRefusal = true;
      expect(await stays.send(message)).toMatchObject({ kind: 'refused', phase, reply: { code } });
      await expect.poll(() => stays.isUsable).toBe(false);
      expect(peer.taken).toEqual([]);
    },
  );

  it('the end of a session is said to the sender of the next message', async () => {
    peer.treat = () => 'take';
    peer.mostOfSession = 1;
    const connection = await connect();
    expect(await connection.send(message)).toMatchObject({ kind: 'accepted' });
    expect(await connection.send(message)).toMatchObject({
      ...{ kind: 'refused', phase: 'sender', reply: { code: 421, enhanced: '4.4.5' } },
    });
    expect(connection.isUsable).toBe(false);
    expect(await (await connect()).send(message)).toMatchObject({ kind: 'accepted' });
  });

  it('nobody has a message whose connection broke before a refusal', async () => {
    peer.treat = () => 'drop before';
    const connection = await connect();
    expect(await connection.send(message)).toMatchObject({ kind: 'not_taken' });
    expect(connection.isUsable).toBe(false);
    expect(peer.taken).toEqual([]);
  });
});
