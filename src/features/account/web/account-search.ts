import { z } from 'zod';
import { providerFailures } from '#features/sign-in/rules/provider-failures.ts';
import { choiceField, textField } from '#platform/web/url-state.ts';

/** The open dialog on the account screen, and the result of connecting the identity provider. */
export const accountSearch = z.object({
  open: choiceField(['', 'two-factor', 'email', 'password', 'connect', 'disconnect']),
  provider: choiceField(['', 'connected', ...providerFailures]),
});
/** The secret of the link that proves an address. */
export const proofSearch = z.object({ token: textField });
