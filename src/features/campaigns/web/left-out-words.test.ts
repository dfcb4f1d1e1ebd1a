import { describe, expect, it } from 'vitest';
import type { CampaignCheck } from '../contract.ts';
import { leftOutHints } from './left-out-words.ts';

const nothing: CampaignCheck['leftOutBecause'] = { suppressed: null, mailable: [], frequencyCap: null };
const everybody = { include: [], exclude: [] };

describe('why contacts are left out, in words', () => {
  it('tells of the reasons on the suppression list, the most frequent first', () => {
    const reasons = { complained: 21, unsubscribed: 603, bounced: 188 };
    const suppressed = { reasons, domains: 4, isEstimate: false };
    const told = '603 unsubscribed, 188 bounced, 21 complained, 4 by their domain';
    expect(leftOutHints({ ...nothing, suppressed }, everybody).suppressed).toBe(told);
    const estimate = { reasons: { manual: 1_200 }, domains: 0, isEstimate: true };
    expect(leftOutHints({ ...nothing, suppressed: estimate }, everybody).suppressed).toBe(
      'About 1,200 by hand',
    );
    expect(leftOutHints(nothing, everybody).suppressed).toBeUndefined();
  });

  it('tells of the limits that the workspace and the campaign set', () => {
    const hints = leftOutHints(
      { ...nothing, mailable: ['consent', 'soft_opt_in'], frequencyCap: { messages: 2, days: 7 } },
      { ...everybody, notMailedDays: 3 },
    );
    expect(hints).toMatchObject({
      no_basis: 'You mail consent, soft opt-in',
      mailed_lately: 'Had a campaign in the last 3 days',
      over_cap: 'Your limit is 2 campaigns in 7 days',
    });
    const cap = { messages: 1, days: 1 };
    expect(leftOutHints({ ...nothing, frequencyCap: cap }, everybody)).toMatchObject({
      over_cap: 'Your limit is 1 campaign in 1 day',
    });
  });
});
