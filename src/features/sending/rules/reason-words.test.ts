import { expect, it } from 'vitest';
import { reasonInWords } from './reason-words.ts';

it('what waits says whose wish that is, and for how long', () => {
  const own = ['receiver_pace', 'receiver_full'].map((reason) => String(reasonInWords(reason)));
  const theirs = ['slow_domain', 'refused_for_now'].map((reason) => String(reasonInWords(reason)));
  expect(new Set([...own, ...theirs]).size).toBe(4);
  for (const words of own) expect(words).toMatch(/^your limit/);
  for (const words of theirs) expect(words).toMatch(/asked/);
});
