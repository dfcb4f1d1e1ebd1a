import { describe, expect, it } from 'vitest';
import { providerFailures } from './provider-failures.ts';
import { failureWords } from './provider-words.ts';

describe('what is said of a sign-in that the identity provider ended', () => {
  it.each(providerFailures)('%s is a sentence, on each page', (failure) => {
    for (const passwords of [true, false])
      for (const connecting of [true, false])
        expect(failureWords(failure, { name: 'Harrowgate ID', passwords, connecting })).toMatch(
          /^[A-Z].{20,}\.$/,
        );
  });

  it('names the password only where there is one', () => {
    const said = (passwords: boolean) =>
      (['unreachable', 'unconfirmed_account', 'other_identity'] as const).map((failure) =>
        failureWords(failure, { name: 'Harrowgate ID', passwords, connecting: false }),
      );
    for (const words of said(true)) expect(words).toContain('password');
    for (const words of said(false)) expect(words).not.toContain('password');
  });
});
