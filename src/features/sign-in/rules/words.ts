import { counted } from '#features/audit/rules.ts';
import type { FeatureWords } from '#platform/shared/feature-words.ts';

export const signInWords: FeatureWords = {
  audit: {
    areas: { accounts: { order: 20, label: 'Accounts' } },
    kinds: { accounts: ['account'] },
    actions: {
      'account.password_reset': 'Password reset by mail',
      'account.recovery_code_used': 'Signed in with a recovery code',
      'account.signed_in_through_provider': 'Signed in through the identity provider',
    },
    details: {
      ended: { order: 130, say: counted('ended') },
      sessionsEnded: { order: 132, say: counted('sessions ended', { one: 'session ended' }) },
    },
  },
};
