import {
  countSelection,
  getStats,
  getUkView,
  listContacts,
  listFields,
  listSources,
} from '#features/contacts/contract.ts';
import { contactsTopic } from '#features/contacts/web/index.ts';
import type { WebFeature } from '#platform/web/feature.ts';

export { SelectionDialog } from './selection-dialog.tsx';
export { statsOptions } from './stats.ts';

/** The audience has no screen of its own: others show lists, counts and figures of it. */
export const audienceFeature: WebFeature = {
  pages: [],
  changesWith: {
    [contactsTopic]: [listContacts, countSelection, listSources, listFields, getStats, getUkView],
  },
};
