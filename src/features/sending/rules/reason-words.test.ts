import { expect, it } from 'vitest';
import { answerReasons, skipReasons } from './mailing.ts';
import { reasonInWords } from './reason-words.ts';

it.each([...skipReasons, ...answerReasons])('“%s” has words that end a sentence after a colon', (reason) => {
  expect(reasonInWords(reason)).toMatch(/^[a-z][a-z0-9 ,’]{10,}$/);
});

it('no two reasons have the same words, and what nobody writes has none', () => {
  const all = [...skipReasons, ...answerReasons].map(reasonInWords);
  expect(new Set(all).size).toBe(all.length);
  expect(reasonInWords('constructor')).toBeNull();
});

it('what waits says whose wish that is', () => {
  for (const own of ['receiver_pace', 'receiver_full']) expect(reasonInWords(own)).toMatch(/your limit/);
  for (const theirs of ['slow_domain', 'refused_for_now']) expect(reasonInWords(theirs)).toMatch(/asked/);
});
