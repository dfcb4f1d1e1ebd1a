import { contactsTopic } from '#features/contacts/web/index.ts';
import type { WebFeature } from '#platform/web/feature.ts';
import { contactEvidence, listVerifications, verificationSummary } from '../contract.ts';
import { verificationWords } from '../rules/words.ts';

export { useVerify } from './use-verify.ts';

/** Verifying has no screen of its own. The review shows the results. */
export const verificationFeature: WebFeature = {
  words: verificationWords,
  eventWords: () => import('./event-words.ts'),
  pages: [],
  finder: () => import('./palette-finder.ts'),
  changesWith: { [contactsTopic]: [contactEvidence, listVerifications, verificationSummary] },
};
