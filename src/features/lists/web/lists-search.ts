import { z } from 'zod';
import { choiceField, idField } from '#platform/web/url-state.ts';

/** What is open on the screen of lists and tags. */
export const listsSearch = z.object({
  open: choiceField(['', 'new-list', 'new-tag']),
  /** The list whose details are shown. */
  list: idField,
  /** The list that is being edited. */
  edit: idField,
  /** The list that addresses are pasted for. */
  paste: idField,
  /** The tag that is being edited. */
  tag: idField,
});
