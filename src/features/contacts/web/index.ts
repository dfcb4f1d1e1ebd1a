import { listActivities } from '#features/activities/contract.ts';
import { deferredDialog } from '#platform/web/components/deferred.tsx';
import type { WebFeature } from '#platform/web/feature.ts';
import { getContact } from '../contract.ts';
import { contactsWords } from '../rules/words.ts';
import { contactsTopic } from './refresh.ts';

export {
  kindLabels,
  needsEditor,
  reasonLabels,
  riskRanges,
  ukClassLabels,
  ukClassReason,
  verdictLabels,
  verdictTones,
} from './contact-words.ts';
export { contactsTopic, refreshContacts } from './refresh.ts';

/** Adds one address by hand. */
export const AddEmailDialog = deferredDialog(
  async () => (await import('./add-email-dialog.tsx')).AddEmailDialog,
);

/** The contacts have no screen of their own. The Email Database shows them. */
export const contactsFeature: WebFeature = {
  words: contactsWords,
  eventWords: () => import('./event-words.ts'),
  pages: [],
  // Every change to contacts is recorded among the activities.
  changesWith: { [contactsTopic]: [getContact, listActivities] },
};
