import { z } from 'zod';
import { readKept } from '#platform/web/read-kept.ts';
import { useKeptDraft } from '#platform/web/use-kept-draft.ts';
import { templateCategories } from '../../rules/categories.ts';
import { emailContent } from '../../rules/email-content.ts';
import { isSameDraft } from './content.ts';
import type { Editing } from './use-editing.ts';

const keptTemplate = z.object({
  version: z.number().int().positive().nullable(),
  draft: z.object({
    name: z.string(),
    description: z.string(),
    category: z.enum(templateCategories),
    textContent: z.string(),
    content: emailContent,
  }),
});
/** What is kept of a template, with the version that it was written on. */
export type KeptTemplate = z.output<typeof keptTemplate>;

/** Keeps what is not saved of a template in this browser. */
export const useKeptTemplate = ({ saver, stored, draft, isChanged }: Editing) =>
  useKeptDraft<KeptTemplate>({
    kind: 'template',
    id: stored?.id ?? 'new',
    ...{ draft, isChanged },
    contentNow: () => ({ version: saver.version, draft: saver.state().draft }),
    read: (kept) => readKept(keptTemplate, kept),
    isStored: (kept) => isSameDraft(kept.draft, draft),
  });
