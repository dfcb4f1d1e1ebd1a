import { describe, expect, it } from 'vitest';
import type { AppError } from '#platform/shared/errors.ts';
import { refuseManyStarts } from './start-limits.ts';

const limits = { aMinute: 3, atOnce: 2 };
const refusal = (starts: Parameters<typeof refuseManyStarts>[2]): AppError | null => {
  try {
    refuseManyStarts('imports', limits, starts);
    return null;
  } catch (error) {
    return error as AppError;
  }
};

describe('what is costly to begin', () => {
  it('may be begun while there is room', () => {
    expect(refusal({ secondsToWait: null, underWay: 1 })).toBeNull();
  });

  it('says after how long a person may begin the next', () => {
    expect(refusal({ secondsToWait: 34, underWay: 0 })).toMatchObject({
      code: 'rate_limited',
      retryAfter: 34,
      message: expect.stringContaining('Begin the next in 34 seconds.'),
    });
    expect(refusal({ secondsToWait: 0, underWay: 0 })).toMatchObject({
      retryAfter: 1,
      message: expect.stringContaining('in 1 second.'),
    });
  });

  it('says when the workspace is at work on as much as it may', () => {
    expect(refusal({ secondsToWait: null, underWay: 2 })).toMatchObject({
      code: 'rate_limited',
      retryAfter: 10,
      message: expect.stringMatching(/^This workspace has 2 imports under way/),
    });
  });
});
