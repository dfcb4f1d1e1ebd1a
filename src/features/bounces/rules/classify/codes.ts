import type { BounceKind } from '../kinds.ts';

/**
 * Enhanced status codes (RFC 3463 and IANA's registry of them) without their first figure. Those
 * that say clearly what is wrong count more than words about the recipient, and less than words
 * about the sender.
 */
export const clearCodes: Readonly<Record<string, BounceKind>> = {
  '1.1': 'no_such_user',
  '1.2': 'no_such_domain',
  '1.3': 'bad_address',
  // Null MX (RFC 7505). Exchange Online uses it for a mailbox that is not there too.
  '1.10': 'no_such_domain',
  '1.6': 'moved',
  '1.7': 'sender_refused',
  '1.8': 'sender_refused',
  '2.1': 'disabled',
  '2.2': 'full',
  '2.3': 'too_large',
  '3.4': 'too_large',
  '4.6': 'loop',
  '4.7': 'expired',
  '6.7': 'unsupported',
  // By the registry a sign-in that failed. Yahoo refuses single messages with it.
  '7.8': 'policy',
  '7.9': 'policy',
  '7.10': 'encryption',
  '7.20': 'authentication',
  '7.21': 'authentication',
  '7.22': 'authentication',
  '7.23': 'authentication',
  '7.24': 'authentication',
  '7.25': 'reputation',
  '7.26': 'authentication',
  '7.27': 'sender_refused',
  // Exchange Online and Gmail have codes beyond the registry.
  '7.28': 'rate',
  '7.57': 'policy',
  '7.60': 'sender_refused',
  '7.509': 'authentication',
  '7.515': 'authentication',
  '7.511': 'reputation',
  '7.512': 'content',
  '7.606': 'reputation',
  '7.705': 'account',
  '7.708': 'reputation',
  '7.750': 'account',
};

/** Codes that say little. They count only when no words say more. */
export const vagueCodes: Readonly<Record<string, BounceKind>> = {
  '1.0': 'no_such_user',
  '1.4': 'no_such_user',
  '1.9': 'protocol',
  '2.0': 'temporary',
  '2.4': 'disabled',
  '3.0': 'temporary',
  '3.1': 'temporary',
  '3.2': 'temporary',
  '3.3': 'unsupported',
  '3.5': 'temporary',
  '3.6': 'unsupported',
  '4.0': 'unreachable',
  '4.1': 'unreachable',
  '4.2': 'unreachable',
  '4.3': 'dns',
  '4.4': 'dns',
  '4.5': 'temporary',
  '5.3': 'rate',
};

/** For the rest: what a whole group of codes is about, by its second figure. */
export const groups: Readonly<Record<string, BounceKind>> = {
  '3': 'temporary',
  '4': 'unreachable',
  '5': 'protocol',
  '6': 'content',
  '7': 'policy',
};

/** What a reply is about that has neither words nor an enhanced code (RFC 5321, section 4.2.3). */
export const basicCodes: Readonly<Record<number, BounceKind>> = {
  421: 'temporary',
  450: 'temporary',
  451: 'temporary',
  452: 'temporary',
  454: 'temporary',
  455: 'protocol',
  500: 'protocol',
  501: 'protocol',
  502: 'protocol',
  503: 'protocol',
  504: 'protocol',
  521: 'no_such_domain',
  523: 'encryption',
  530: 'account',
  534: 'account',
  535: 'account',
  538: 'account',
  551: 'moved',
  552: 'full',
  553: 'bad_address',
  555: 'protocol',
  556: 'no_such_domain',
};
