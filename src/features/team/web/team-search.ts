import { z } from 'zod';
import { choiceField } from '#platform/web/url-state.ts';

/** The dialog that is open on the team screen. */
export const teamSearch = z.object({ open: choiceField(['', 'invite', 'rename', 'leave']) });
