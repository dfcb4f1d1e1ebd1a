import { describe, expect, it } from 'vitest';
import type { Outcome } from '../smtp/connection.ts';
import { answerOf, reasonToStop } from './answer-of.ts';

const refused = (code: number, enhanced: string | null, text: string): Outcome => ({
  kind: 'refused',
  reply: { code, enhanced, text, lines: [] },
  phase: 'recipient',
});

describe('a refusal', () => {
  it('waits as long as its kind asks for, and longer the more often it comes', () => {
    const greylisted = refused(451, '4.7.1', 'Greylisted');
    const full = refused(452, '4.2.2', 'Mailbox full');
    expect(answerOf(7, 1, greylisted)).toMatchObject({ state: 'deferred', waitSeconds: 300 });
    expect(answerOf(7, 1, full)).toMatchObject({ state: 'deferred', waitSeconds: 7_200 });
    expect(answerOf(7, 9, full)).toMatchObject({ state: 'deferred', waitSeconds: 14_400 });
    expect(answerOf(7, 99, full)).toMatchObject({ state: 'failed', reason: 'gave_up' });
  });

  it('for good fails at once', () => {
    expect(answerOf(7, 1, refused(550, '5.1.1', 'No such user'))).toMatchObject({
      state: 'failed',
      reason: 'refused',
      reply: '550 5.1.1 No such user',
    });
  });

  it('of what all messages have in common keeps the message and says why to stop', () => {
    const unpaid = refused(454, null, 'Throttling failure: Daily message quota exceeded.');
    expect(answerOf(7, 1, unpaid)).toMatchObject({ state: 'pending' });
    expect(reasonToStop(unpaid)).toBe(
      'The sending account may not send, or no more for now. ' +
        'The mail server said: 454 Throttling failure: Daily message quota exceeded.',
    );
    expect(reasonToStop(refused(550, '5.1.1', 'No such user'))).toBeNull();
  });
});
