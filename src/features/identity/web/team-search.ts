import { z } from 'zod';
import { choiceField, textField } from '#platform/web/url-state.ts';
import { providerFailures } from '../rules/provider-failures.ts';

/** The dialog that is open on the team screen. */
export const teamSearch = z.object({ open: choiceField(['', 'invite', 'rename', 'leave']) });
/** The dialog that is open on the account screen, and what came of connecting the identity provider. */
export const accountSearch = z.object({
  open: choiceField(['', 'two-factor', 'email', 'password', 'connect', 'disconnect']),
  provider: choiceField(['', 'connected', ...providerFailures]),
});
/** The secret of a mailed link. */
export const linkSearch = z.object({ token: textField });
