import { z } from 'zod';
import { choiceField, textField } from '#platform/web/url-state.ts';

/** The dialog that is open on the team screen. */
export const teamSearch = z.object({ open: choiceField(['', 'invite', 'rename', 'leave']) });
/** The dialog that is open on the account screen. */
export const accountSearch = z.object({ open: choiceField(['', 'two-factor', 'email', 'password']) });
/** The secret of a mailed link. */
export const linkSearch = z.object({ token: textField });
