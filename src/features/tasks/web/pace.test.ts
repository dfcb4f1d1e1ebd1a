import { describe, expect, it } from 'vitest';
import { createPace } from './pace.ts';

describe('the pace of a task', () => {
  it('is not told before it was watched for two seconds, nor while nothing moves', () => {
    const pace = createPace();
    expect(pace(0, 0, 100, null)).toEqual({});
    expect(pace(1_000, 50, 100, null)).toEqual({});
    const still = createPace();
    still(0, 5, 100, null);
    expect(still(9_000, 5, 100, null)).toEqual({});
  });

  it('tells the rate, and the time left where there is a total', () => {
    const pace = createPace();
    pace(0, 0, 1_000, null);
    expect(pace(4_000, 400, 1_000, null)).toEqual({ rate: 100, secondsLeft: 6 });
    const endless = createPace();
    endless(0, 0, null, null);
    expect(endless(4_000, 6, null, null)).toEqual({ rate: 1.5 });
  });

  it('counts from where the work was when it was found', () => {
    const pace = createPace();
    pace(0, 900_000, 1_000_000, null);
    expect(pace(2_000, 910_000, 1_000_000, null)).toEqual({ rate: 5_000, secondsLeft: 18 });
  });

  it('follows the last twenty seconds', () => {
    const pace = createPace();
    for (let second = 0; second <= 60; second++) pace(second * 1000, second * 1000, 1_000_000, null);
    let last = {};
    for (let second = 61; second <= 90; second++)
      last = pace(second * 1000, 60_000 + (second - 60) * 10, 1_000_000, null);
    expect(last).toMatchObject({ rate: 10 });
  });

  it('begins anew with a new phase', () => {
    const pace = createPace();
    pace(0, 0, 100, 'counting');
    pace(3_000, 90, 100, 'counting');
    expect(pace(4_000, 95, 1_000, 'removing')).toEqual({});
    expect(pace(5_000, 5, 1_000, 'removing')).toEqual({});
  });
});
