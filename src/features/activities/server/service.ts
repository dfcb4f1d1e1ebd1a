import type { TenantTx } from '#platform/server/database.ts';
import { storableText } from '#platform/server/storable-text.ts';
import type { Activity } from '../contract.ts';
import { upsertActivity } from './queries.ts';

export interface NewActivity {
  /** A title of a few words: 'CSV Import'. */
  action: string;
  /** One sentence, with the numbers. */
  details: string;
  status: Activity['status'];
  /** A Tabler icon name in kebab case. */
  icon: string;
  iconColor: Activity['iconColor'];
  /** The email address of who did it; absent when the product did it by itself. */
  actor?: string | null;
  /** The long-running thing the line tells of, e.g. 'import:12'. */
  subject?: string | null;
  /** The path of the screen that shows more. */
  link?: string | null;
  /**
   * Also stands under the bell, for everybody in the workspace. When absent: the end of what has a
   * `subject` does.
   */
  notify?: boolean;
}

/**
 * File names and addresses end up in here; a line is read at a glance, so more than this says
 * nothing more.
 */
const longestDetails = 2000;

/**
 * Adds a line to the workspace's activities, in the caller's transaction. A second call with the
 * same `subject` updates that line: all it says, and its time. Needs a transaction bound to the
 * workspace.
 */
export async function recordActivity(
  tx: TenantTx,
  workspaceId: number,
  activity: NewActivity,
): Promise<void> {
  await upsertActivity(tx, workspaceId, {
    action: storableText(activity.action),
    details: storableText(activity.details).slice(0, longestDetails),
    status: activity.status,
    icon: activity.icon,
    iconColor: activity.iconColor,
    actor: activity.actor ?? null,
    subject: activity.subject ?? null,
    link: activity.link ?? null,
    notify: activity.notify ?? (activity.subject != null && activity.status !== 'in-progress'),
  });
}
