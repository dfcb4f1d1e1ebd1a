import { describe, expect, it } from 'vitest';
import { loginAddress } from './login-address.ts';

describe('where signing in through the provider begins', () => {
  it.each([
    [undefined, '/api/login'],
    ['/imports?page=2&x=ä', '/api/login?next=%2Fimports%3Fpage%3D2%26x%3D%C3%A4'],
  ])('heading for %j is %s', (next, address) => {
    expect(loginAddress(next)).toBe(address);
  });
});
