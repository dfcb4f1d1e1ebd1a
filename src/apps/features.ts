import { accountFeature } from '#features/account/server/index.ts';
import { activitiesFeature } from '#features/activities/server/index.ts';
import { addressesFeature } from '#features/addresses/server/index.ts';
import { adminFeature } from '#features/admin/server/index.ts';
import { apiKeysFeature } from '#features/api-keys/server/index.ts';
import { audienceFeature } from '#features/audience/server/index.ts';
import { auditFeature } from '#features/audit/server/index.ts';
import { binFeature } from '#features/bin/server/index.ts';
import { contactsFeature } from '#features/contacts/server/index.ts';
import { exportsFeature } from '#features/exports/server/index.ts';
import { importsFeature } from '#features/imports/server/index.ts';
import { mailFeature } from '#features/mail/server/index.ts';
import { maintenanceFeature } from '#features/maintenance/server/index.ts';
import { reviewFeature } from '#features/review/server/index.ts';
import { rollupsFeature } from '#features/rollups/server/index.ts';
import { settingsFeature } from '#features/settings/server/index.ts';
import { signInFeature } from '#features/sign-in/server/index.ts';
import { suppressionsFeature } from '#features/suppressions/server/index.ts';
import { tasksFeature } from '#features/tasks/server/index.ts';
import { teamFeature } from '#features/team/server/index.ts';
import { timelineFeature } from '#features/timeline/server/index.ts';
import { verificationFeature } from '#features/verification/server/index.ts';
import { viewsFeature } from '#features/views/server/index.ts';
import type { ServerFeature } from '#platform/server/feature.ts';

/**
 * Every feature of the server. They are made in this order: who offers something stands before who
 * uses it. They are stopped in the opposite order. The first that knows who calls has the call, so
 * API keys stand before sessions.
 */
export const features: readonly ServerFeature[] = [
  addressesFeature,
  auditFeature,
  settingsFeature,
  activitiesFeature,
  mailFeature,
  tasksFeature,
  timelineFeature,
  apiKeysFeature,
  teamFeature,
  signInFeature,
  accountFeature,
  rollupsFeature,
  audienceFeature,
  verificationFeature,
  contactsFeature,
  binFeature,
  exportsFeature,
  reviewFeature,
  suppressionsFeature,
  importsFeature,
  maintenanceFeature,
  viewsFeature,
  adminFeature,
];
