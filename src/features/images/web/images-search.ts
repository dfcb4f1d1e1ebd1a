import { z } from 'zod';
import { idField, pageField, textField } from '#platform/web/url-state.ts';

/** The screen's address: the search, and the image whose dialog is open. */
export const imagesSearch = z.object({ page: pageField, search: textField, edit: idField });
