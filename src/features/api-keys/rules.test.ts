import { expect, it } from 'vitest';
import { workspaceOfKey } from './rules.ts';

const secret = 'x'.repeat(43);

it.each([
  [`em_live_12_${secret}`, 12],
  [`em_live_012_${secret}`, null],
  [`em_live_12_${secret}x`, null],
  [`em_live_12_${secret.slice(1)}`, null],
  [`em_test_12_${secret}`, null],
  [`em_live_99999999999999999999_${secret}`, null],
  ['', null],
])('%s is a key of workspace %s', (key, workspace) => {
  expect(workspaceOfKey(key)).toBe(workspace);
});
