import { describe, expect, it } from 'vitest';
import { speedInWords } from './speed-words.ts';

const speed = { perMinute: 800, perDay: null, minutes: 14, isLeast: false };
const atOnce = { spreadHours: null };

describe('how fast a campaign leaves, in words', () => {
  it.each([
    ['without a limit', null, atOnce, 'As fast as the mail server takes it'],
    [
      'outside quiet hours',
      { ...speed, perMinute: null, minutes: 0 },
      atOnce,
      'As fast as the mail server takes it',
    ],
    [
      'in quiet hours',
      { ...speed, perMinute: null, minutes: 600 },
      atOnce,
      'As fast as the mail server takes it, about 10 hours',
    ],
    ['by a limit', speed, atOnce, '800 a minute, about 14 minutes'],
    ['by a small one', { ...speed, perMinute: 0.5, minutes: 2_000 }, atOnce, '30 an hour, about 33 hours'],
    ['with limits of receivers', { ...speed, isLeast: true }, atOnce, '800 a minute, at least 14 minutes'],
    [
      'by the day',
      { ...speed, perMinute: null, perDay: 5_000, minutes: 4_320 },
      atOnce,
      'At most 5,000 a day, about 3 days',
    ],
    ['at once', { ...speed, minutes: 0 }, atOnce, '800 a minute, about 1 minute'],
    ['over hours', { ...speed, perMinute: 40, minutes: 240 }, { spreadHours: 4 }, 'Evenly over 4 hours'],
    ['over hours by each clock', null, { spreadHours: 1 }, 'Evenly over 1 hour'],
    [
      'slower than over hours',
      { ...speed, perMinute: 20, minutes: 480 },
      { spreadHours: 4 },
      '20 a minute, about 8 hours',
    ],
  ] as const)('%s', (_name, told, campaign, words) => {
    expect(speedInWords(told, campaign)).toBe(words);
  });
});
