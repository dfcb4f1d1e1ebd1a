import { z } from 'zod';
import { activityStatuses } from '../contract.ts';

/** The filters in the address of the activities. */
export const activitiesSearch = z.object({
  action: z.string().min(1).max(200).optional().catch(undefined),
  actor: z.string().min(1).max(320).optional().catch(undefined),
  status: z.enum(activityStatuses).optional().catch(undefined),
  from: z.iso.date().optional().catch(undefined),
  to: z.iso.date().optional().catch(undefined),
});
