import { describe, expect, it } from 'vitest';
import type { Outcome } from '../smtp/connection.ts';
import { answerOf, reasonToStop } from './answer-of.ts';

type Phase = Extract<Outcome, { kind: 'refused' }>['phase'];
const refused = (
  code: number,
  enhanced: string | null,
  text: string,
  phase: Phase = 'recipient',
): Outcome => ({
  kind: 'refused',
  reply: { code, enhanced, text, lines: [] },
  phase,
});

const hour = 3_600;
const tried = (seconds: number, attempt = 1) => ({ id: 7, attempt, triedSeconds: seconds });

describe('a refusal', () => {
  it('waits as long as its kind asks for, and longer the more often it comes', () => {
    const greylisted = refused(451, '4.7.1', 'Greylisted');
    const full = refused(452, '4.2.2', 'Mailbox full');
    expect(answerOf(tried(0), greylisted)).toMatchObject({ state: 'deferred', waitSeconds: 300 });
    expect(answerOf(tried(0), full)).toMatchObject({ state: 'deferred', waitSeconds: 7_200 });
    expect(answerOf(tried(24 * hour, 9), full)).toMatchObject({ state: 'deferred', waitSeconds: 14_400 });
    expect(answerOf(tried(71 * hour, 22), full)).toMatchObject({ state: 'failed', reason: 'gave_up' });
  });

  it('for good fails at once', () => {
    expect(answerOf(tried(0), refused(550, '5.1.1', 'No such user'))).toMatchObject({
      state: 'failed',
      reason: 'refused',
      reply: '550 5.1.1 No such user',
    });
  });

  it('of what all messages have in common keeps the message and says why to stop', () => {
    const unpaid = refused(454, null, 'Throttling failure: Daily message quota exceeded.');
    expect(answerOf(tried(0), unpaid)).toMatchObject({ state: 'pending' });
    // It may be about this message alone, which stops its mailing for three days at most.
    expect(answerOf(tried(71 * hour, 22), unpaid)).toMatchObject({ state: 'failed', reason: 'gave_up' });
    expect(reasonToStop(unpaid)).toBe(
      'The sending account may not send, or no more for now. ' +
        'The mail server said: 454 Throttling failure: Daily message quota exceeded.',
    );
    expect(reasonToStop(refused(550, '5.1.1', 'No such user'))).toBeNull();
  });
});

describe('a connection that breaks', () => {
  const broken: Outcome = { kind: 'not_taken', why: 'The mail server hung up.' };

  it('loses nothing, however often it breaks within three days, and is tried less and less often', () => {
    const waits: number[] = [];
    let attempt = 0;
    for (let seconds = 0; ; ) {
      const { state, waitSeconds } = answerOf(tried(seconds, ++attempt), broken);
      if (state === 'failed') {
        expect(seconds).toBeGreaterThan(71 * hour);
        break;
      }
      expect(state).toBe('deferred');
      waits.push(waitSeconds as number);
      seconds += waitSeconds as number;
    }
    expect(waits.slice(0, 3)).toEqual([60, 60, 60]);
    expect(waits).toEqual(waits.toSorted((one, other) => one - other));
    expect(waits.at(-1)).toBe(1_800);
  });

  it('is a break too when the server says 421 to the sender, which slows no domain', () => {
    const ends = (phase: Phase) => refused(421, '4.4.5', 'Too many messages for this session', phase);
    expect(answerOf(tried(0), ends('sender'))).toEqual({
      ...{ id: 7, attempt: 1, state: 'deferred', reason: 'connection', waitSeconds: 60 },
      reply: '421 4.4.5 Too many messages for this session',
    });
    expect(answerOf(tried(0), ends('recipient'))).toMatchObject({ slowsDomain: true });
    const unpaid = refused(421, null, 'Throttling failure: Daily message quota exceeded.', 'sender');
    expect(answerOf(tried(0), unpaid)).toMatchObject({ state: 'pending' });
    expect(reasonToStop(unpaid)).not.toBeNull();
  });

  it('is not counted by tries that never reached the server', () => {
    expect(answerOf(tried(hour, 5_000), broken)).toMatchObject({ state: 'deferred' });
  });
});
