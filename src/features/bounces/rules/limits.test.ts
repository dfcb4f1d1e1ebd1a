import { describe, expect, it } from 'vitest';
import { reasonToPause } from './limits.ts';

describe('a mailing', () => {
  it('goes on while few bounce and nobody complains, and while little is known', () => {
    expect(reasonToPause({ handled: 499, hard: 400, complained: 9 })).toBeNull();
    expect(reasonToPause({ handled: 10_000, hard: 499, complained: 9 })).toBeNull();
  });

  it('is paused from 5% of hard bounces, or 0.1% of complaints', () => {
    expect(reasonToPause({ handled: 1_000, hard: 50, complained: 0 })).toMatch(
      /^5% of 1,000 messages bounced for good/,
    );
    expect(reasonToPause({ handled: 10_000, hard: 0, complained: 10 })).toMatch(
      /^0.1% of 10,000 messages were reported as spam/,
    );
  });
});
