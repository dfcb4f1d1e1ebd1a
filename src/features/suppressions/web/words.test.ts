import { describe, expect, it } from 'vitest';
import type { SuppressionReason } from '../contract.ts';
import { countOf, liftingWarning, reasonByName } from './words.ts';

const reasons = (...all: SuppressionReason[]) => new Set(all);

describe('liftingWarning', () => {
  it('says nothing of what the business decided by itself', () => {
    expect(liftingWarning(reasons('manual', 'bounced', 'imported'), true)).toBeNull();
  });
  it('warns of the weightiest of several', () => {
    expect(liftingWarning(reasons('unsubscribed', 'manual', 'erased'), true)).toMatch(
      /^Some of these people asked to be erased/,
    );
    expect(liftingWarning(reasons('unsubscribed', 'complained'), false)).toMatch(
      /^This person reported your mail as spam/,
    );
  });
});

it.each([
  ['unsubscribed_email_audience_export_8c1f2a.csv', 'unsubscribed'],
  ['Unsubscribes May.csv', 'unsubscribed'],
  ['opt-outs.txt', 'unsubscribed'],
  ['opted_out.csv', 'unsubscribed'],
  ['cleaned_email_audience_export_8c1f2a.csv', 'bounced'],
  ['hard-bounces.csv', 'bounced'],
  ['Spam complaints.csv', 'complained'],
  ['list.csv', null],
  ['uncleaned.csv', null],
  ['optional.csv', null],
])('%s tells the reason %s', (name, reason) => {
  expect(reasonByName(name)).toBe(reason);
});

it('counts addresses and domains', () => {
  expect(countOf('emails', 1)).toBe('1 address');
  expect(countOf('emails', 1204)).toBe('1,204 addresses');
  expect(countOf('domains', 2)).toBe('2 domains');
});
