import { accountFeature } from '#features/account/server/index.ts';
import { activitiesFeature } from '#features/activities/server/index.ts';
import { addressesFeature } from '#features/addresses/server/index.ts';
import { adminFeature } from '#features/admin/server/index.ts';
import { apiKeysFeature } from '#features/api-keys/server/index.ts';
import { audienceFeature } from '#features/audience/server/index.ts';
import { auditFeature } from '#features/audit/server/index.ts';
import { basisFeature } from '#features/basis/server/index.ts';
import { binFeature } from '#features/bin/server/index.ts';
import { bouncesFeature } from '#features/bounces/server/index.ts';
import { campaignsFeature } from '#features/campaigns/server/index.ts';
import { contactsFeature } from '#features/contacts/server/index.ts';
import { eventsFeature } from '#features/events/server/index.ts';
import { exportsFeature } from '#features/exports/server/index.ts';
import { fieldChangesFeature } from '#features/field-changes/server/index.ts';
import { imagesFeature } from '#features/images/server/index.ts';
import { importsFeature } from '#features/imports/server/index.ts';
import { listsFeature } from '#features/lists/server/index.ts';
import { mailFeature } from '#features/mail/server/index.ts';
import { maintenanceFeature } from '#features/maintenance/server/index.ts';
import { membershipsFeature } from '#features/memberships/server/index.ts';
import { paceFeature } from '#features/pace/server/index.ts';
import { reviewFeature } from '#features/review/server/index.ts';
import { rollupsFeature } from '#features/rollups/server/index.ts';
import { segmentsFeature } from '#features/segments/server/index.ts';
import { sendersFeature } from '#features/senders/server/index.ts';
import { sendingFeature } from '#features/sending/server/index.ts';
import { settingsFeature } from '#features/settings/server/index.ts';
import { signInFeature } from '#features/sign-in/server/index.ts';
import { smtpServersFeature } from '#features/smtp-servers/server/index.ts';
import { suppressionsFeature } from '#features/suppressions/server/index.ts';
import { tagsFeature } from '#features/tags/server/index.ts';
import { tasksFeature } from '#features/tasks/server/index.ts';
import { teamFeature } from '#features/team/server/index.ts';
import { templatesFeature } from '#features/templates/server/index.ts';
import { timelineFeature } from '#features/timeline/server/index.ts';
import { trackingFeature } from '#features/tracking/server/index.ts';
import { transactionalFeature } from '#features/transactional/server/index.ts';
import { verificationFeature } from '#features/verification/server/index.ts';
import { viewsFeature } from '#features/views/server/index.ts';
import type { ServerFeature } from '#platform/server/feature.ts';

/**
 * Every feature of the server, made in this order: a feature that offers something comes before
 * those that use it. They stop in reverse order, and erase a person in it. Suppressions come before
 * the bin, so that the entry goes after the contact, and nobody is mailed in between. The first
 * feature that recognises a caller decides, so API keys come before sessions.
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
  eventsFeature,
  audienceFeature,
  segmentsFeature,
  verificationFeature,
  contactsFeature,
  suppressionsFeature,
  binFeature,
  basisFeature,
  paceFeature,
  membershipsFeature,
  listsFeature,
  tagsFeature,
  exportsFeature,
  fieldChangesFeature,
  reviewFeature,
  importsFeature,
  maintenanceFeature,
  viewsFeature,
  imagesFeature,
  templatesFeature,
  sendersFeature,
  trackingFeature,
  bouncesFeature,
  sendingFeature,
  smtpServersFeature,
  campaignsFeature,
  transactionalFeature,
  adminFeature,
];
