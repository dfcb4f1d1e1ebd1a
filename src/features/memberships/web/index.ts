import type { WebFeature } from '#platform/web/feature.ts';
import { membershipsWords } from '../rules/words.ts';

export { pasteDialogOf, pickerOf } from './deferred.tsx';
export type { GroupCalls } from './group-calls.ts';
export { groupContactsOf } from './use-group-contacts.tsx';

export const membershipsFeature: WebFeature = {
  words: membershipsWords,
  pages: [],
  eventWords: () => import('./event-words.ts'),
};
