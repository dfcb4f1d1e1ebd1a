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
});
export type Activity = z.output<typeof activity>;

export const listActivities = endpoint({
  method: 'GET',
  path: '/api/activities',
  access: access.member('viewer', 'activities:read'),
  summary: 'What happened in the workspace, newest first.',
  tag: 'Activities',
  query: z.object({ limit: z.coerce.number().int().min(1).max(100).default(20) }),
  response: z.array(activity),
});
