import { expect, it } from 'vitest';
import { whatVerifyFinds } from './what-verify-finds.ts';

it('promises domains that take no mail only where they are looked up', () => {
  expect(whatVerifyFinds(true)).toContain('domains that take no mail');
  expect(whatVerifyFinds(false)).not.toContain('domains');
});
