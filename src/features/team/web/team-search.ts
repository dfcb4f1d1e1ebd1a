import { z } from 'zod';
import { choiceField } from '#platform/web/url-state.ts';

/** The open dialog on the team screen. */
export const teamSearch = z.object({ open: choiceField(['', 'invite', 'rename', 'leave']) });
