import { z } from 'zod';
import { access, endpoint, idParams } from '#platform/shared/contract.ts';

/** Seconds. How often an open editor says that it is there. */
export const beatSeconds = 8;
/** Seconds. A window that is silent for longer counts as closed. */
export const silentSeconds = 20;
/** The same for a window that is hidden: after a while browsers let those speak once a minute. */
export const hiddenSilentSeconds = 90;

/** Which version of a template is the current one. */
export const latestVersion = z.object({
  version: z.number().int(),
  savedAt: z.iso.datetime(),
  savedBy: z.string().nullable(),
  isYours: z.boolean().describe('You saved it yourself, here or in another window.'),
});
export type LatestVersion = z.output<typeof latestVersion>;

const person = z.object({
  userId: z.number().int(),
  name: z.string(),
  mayWrite: z.boolean().describe('Their role lets them change templates.'),
  isHidden: z.boolean().describe('It is open, and they look at another window or tab.'),
});
export type PersonPresent = z.output<typeof person>;

const params = idParams.extend({
  window: z
    .string()
    .regex(/^[a-z0-9]{8,40}$/, 'A window is named by 8 to 40 small letters and digits.')
    .describe('The name of the window that has it open: 8 to 40 small letters and digits, made at random.'),
});
const shared = { path: '/api/templates/:id/presence/:window', tag: 'Templates', params } as const;

export const keepPresence = endpoint({
  ...shared,
  method: 'PUT',
  access: access.member('viewer'),
  summary:
    'Say that a window has a template open, and hear who else has, and which version is the current one. ' +
    `A window that says so every ${beatSeconds} seconds stays; others count as closed ${silentSeconds} seconds later.`,
  writesLittle: true,
  body: z.strictObject({
    isHidden: z
      .boolean()
      .default(false)
      .describe(
        `The window is not to be seen. It may be silent for ${hiddenSilentSeconds} seconds, because browsers slow it down.`,
      ),
  }),
  response: z.object({
    people: z.array(person).describe('The other people who have it open, by name. At most 50.'),
    ownWindows: z.number().int().describe('How many other windows of your own have it open.'),
    latest: latestVersion,
  }),
});

export const endPresence = endpoint({
  ...shared,
  method: 'DELETE',
  access: access.member('viewer'),
  summary: 'Say that a window has closed a template. It is no failure if it did not have it open.',
  writesLittle: true,
  response: z.object({ closed: z.boolean().describe('False: it did not have it open.') }),
});
