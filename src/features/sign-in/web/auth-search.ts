import { z } from 'zod';
import { choiceField, textField } from '#platform/web/url-state.ts';
import { providerFailures } from '../rules/provider-failures.ts';

/**
 * The sign-in page's address: which of its two forms, where to go afterwards, and why the identity
 * provider let nobody in.
 */
export const authSearch = z.object({
  mode: choiceField(['sign-in', 'sign-up']),
  next: z.string().max(2000).optional().catch(undefined),
  failure: choiceField(['', ...providerFailures]),
});
/** The secret of the link that sets a new password. */
export const resetSearch = z.object({ token: textField });
