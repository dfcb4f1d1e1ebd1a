import type { FeatureWords } from '#platform/shared/feature-words.ts';

export const accountWords: FeatureWords = {
  audit: {
    actions: {
      'account.email_asked': 'Asked for another email address',
      'account.email_changed': 'Email address changed',
      'account.email_confirmed': 'Email address confirmed',
      'account.password_changed': 'Password changed',
      'account.provider_connected': 'Sign-in through the identity provider connected',
      'account.provider_disconnected': 'Sign-in through the identity provider disconnected',
      'account.recovery_codes_renewed': 'New recovery codes made',
      'account.renamed': 'Own name changed',
      'account.session_ended': 'A session ended',
      'account.sessions_ended': 'Other sessions ended',
      'account.two_factor_off': 'Two-factor sign-in turned off',
      'account.two_factor_on': 'Two-factor sign-in turned on',
    },
  },
};
