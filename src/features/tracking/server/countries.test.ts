import { describe, expect, it } from 'vitest';
import { Countries } from './countries.ts';

describe('the country of a network', () => {
  const countries = new Countries();

  it.each([
    ['212.58.244.20', 'GB'],
    ['::ffff:212.58.244.20', 'GB'],
    ['2001:8b0::1', 'GB'],
    ['86.40.0.1', 'IE'],
    ['8.8.8.8', 'US'],
    ['127.0.0.1', null],
    ['10.1.2.3', null],
    ['::1', null],
    ['unknown', null],
    ['', null],
  ])('of %s is %s', async (ip, country) => {
    expect(await countries.of(ip)).toBe(country);
  });
});
