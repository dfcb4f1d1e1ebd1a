import { expect, it } from 'vitest';
import { deviceWords } from './devices.ts';

it.each([
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36',
    { device: 'Chrome on Windows', kind: 'desktop' },
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1',
    { device: 'Safari on iOS', kind: 'phone' },
  ],
  [
    'Mozilla/5.0 (X11; Linux x86_64; rv:133.0) Gecko/20100101 Firefox/133.0',
    { device: 'Firefox on Linux', kind: 'desktop' },
  ],
  ['curl/8.11.0', { kind: 'program' }],
  [null, { device: 'A program', kind: 'program' }],
])('%s', (userAgent, expected) => {
  expect(deviceWords(userAgent)).toMatchObject(expected);
});
