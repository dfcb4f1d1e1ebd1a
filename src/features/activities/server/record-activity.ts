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
  /** The email address of who did it. Absent when the product did it by itself. */
  actor?: string | null;
  /** The long-running thing the line is about, e.g. 'import:12'. */
  subject?: string | null;
  /** The path of the screen that shows more. */
  link?: string | null;
  /**
   * Also shows the line under the bell, for everybody in the workspace. When absent, only the end
   * of something with a `subject` does.
   */
  notify?: boolean;
}

/**
 * File names and addresses end up here. People only glance at a line, so more text than this is
 * useless.
 */
const longestDetails = 2000;

/**
 * Adds a line to the workspace's activities in the caller's transaction. A second call with the
 * same `subject` updates that line with its new content and time. Needs a transaction bound to the
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
