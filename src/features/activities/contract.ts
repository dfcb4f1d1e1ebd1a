import { z } from 'zod';
import { access, endpoint } from '#platform/shared/contract.ts';

export const activityStatuses = ['completed', 'failed', 'in-progress'] as const;
export const iconColors = ['primary', 'error', 'warning', 'accent', 'success'] as const;

export const activity = z.object({
  id: z.number().int(),
  action: z.string(),
  details: z.string(),
  status: z.enum(activityStatuses),
  timestamp: z.string().describe('When, as an ISO date and time.'),
  icon: z.string().describe('A Tabler icon name in kebab case, e.g. `file-import`.'),
  iconColor: z.enum(iconColors),
  actor: z.string().nullable().describe('Who did it; null when the product did it by itself.'),
  link: z.string().nullable().describe('The screen that shows more.'),
});
export type Activity = z.output<typeof activity>;

export const listActivities = endpoint({
  method: 'GET',
  path: '/api/activities',
  access: access.member('viewer', 'activities:read'),
  summary: 'What happened in the workspace, newest first.',
  tag: 'Activities',
  query: z.object({
    limit: z.coerce.number().int().min(1).max(100).default(20),
    before: z.coerce
      .number()
      .int()
      .positive()
      .optional()
      .describe('The id of the last line of the page before: what came earlier.'),
    action: z.string().max(200).optional().describe('Only lines of this title, e.g. `CSV Import`.'),
    actor: z.string().max(320).optional().describe('Only what this person did.'),
    status: z.enum(activityStatuses).optional(),
    from: z.iso.date().optional().describe('From this day on.'),
    to: z.iso.date().optional().describe('Up to and with this day.'),
  }),
  response: z.array(activity),
});

export const activityFilters = endpoint({
  method: 'GET',
  path: '/api/activities/filters',
  access: access.member('viewer', 'activities:read'),
  summary: 'By what the activities can be filtered: the titles and the people that occur in them.',
  tag: 'Activities',
  response: z.object({ actions: z.array(z.string()), actors: z.array(z.string()) }),
});

export const listNotifications = endpoint({
  method: 'GET',
  path: '/api/notifications',
  access: access.member('viewer'),
  summary: 'What stands under the bell: work that has ended, and what needs somebody. The newest 30.',
  tag: 'Activities',
  response: z.object({
    items: z.array(activity.extend({ isNew: z.boolean() })),
    unread: z.number().int().describe('How many this person has not seen, of those.'),
  }),
});

export const readNotifications = endpoint({
  method: 'POST',
  path: '/api/notifications/read',
  access: access.member('viewer'),
  summary: 'Mark what stands under the bell as seen by this person.',
  tag: 'Activities',
  body: z.strictObject({
    until: z.iso
      .datetime()
      .optional()
      .describe('The `timestamp` of the newest line they were shown. Absent: all that stands there now.'),
  }),
  response: z.object({ unread: z.number().int().describe('What has come since.') }),
});

/** Which kinds of lines under the bell count as new there. Any other kind always does. */
export const notificationChoices = z.object({
  finished: z.boolean().describe('Long work that is done: imports, cleans, exports.'),
  failed: z.boolean().describe('What has failed.'),
  invitations: z.boolean().describe('Invitations to other workspaces.'),
});
export type NotificationChoices = z.output<typeof notificationChoices>;

export const getNotificationChoices = endpoint({
  method: 'GET',
  path: '/api/account/notifications',
  access: access.user,
  summary: 'What rings the bell for the caller, in all their workspaces.',
  tag: 'Activities',
  response: notificationChoices,
});

export const changeNotificationChoices = endpoint({
  method: 'PATCH',
  path: '/api/account/notifications',
  access: access.user,
  summary: 'Choose what rings the bell. What does not still stands under it.',
  tag: 'Activities',
  body: z.strictObject(notificationChoices.shape).partial(),
  response: notificationChoices,
});
