import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { call, queryOptionsFor } from '#platform/web/api.ts';
import { useMay } from '#platform/web/current-user.ts';
import { showNewer } from '#platform/web/query-client.ts';
import type { Saver, SaverState, Sending } from '#platform/web/saver.ts';
import { useSaver } from '#platform/web/use-saver.ts';
import {
  changeTemplate,
  createTemplate,
  getTemplate,
  listTemplates,
  listTemplateVersions,
  type Template,
} from '../../contract.ts';
import { tellFailed } from '../template-actions.ts';
import { newId } from '../visual/new-id.ts';
import { bodyOf, type Draft, draftOf, isSameDraft } from './content.ts';
import { noteLatest } from './presence/use-presence.ts';

interface Options {
  /** Null: a new one is made. */
  template: Template | null;
  begin: Draft;
}

type TemplateSending = Sending<Draft, Template, number>;

export interface Editing extends SaverState<Draft, Template> {
  saver: Saver<Draft, Template, number>;
}

/** What somebody writes, and how it is saved. */
export function useEditing({ template, begin }: Options): Editing {
  const queryClient = useQueryClient();
  const mayWrite = useMay('editor');
  return useSaver<Draft, Template, number>(() => ({
    ...{ stored: template, begin, mayWrite, draftOf, problemOf },
    versionOf: ({ version }) => version,
    isSame: isSameDraft,
    send: async (sending) => noteStored(queryClient, await send(sending)),
    read: ({ id }) => call(getTemplate, { params: { id } }),
    onFailed: (error, isNew) =>
      tellFailed(error, isNew ? 'Failed to create template' : 'Failed to save template'),
  }));
}

/** Keys under which new templates were sent. Sent again, each makes the same template. */
const keys = new WeakMap<TemplateSending, string>();

function send(sending: TemplateSending): Promise<Template> {
  const { draft, stored, version, isAutomatic } = sending;
  const body = bodyOf(draft);
  if (stored === null || version === null) {
    const key = keys.get(sending) ?? newId();
    keys.set(sending, key);
    return call(createTemplate, { body, headers: { 'idempotency-key': key } });
  }
  return call(changeTemplate, {
    params: { id: stored.id },
    body: { ...body, version, autosave: isAutomatic },
  });
}

/** The contract's own words about what it does not take. */
function problemOf(draft: Draft, isNew: boolean): string | null {
  const body = isNew ? createTemplate.body : changeTemplate.body;
  return body.safeParse(bodyOf(draft)).error?.issues[0]?.message ?? null;
}

/** Tells the rest of the page what is stored now. Only what shows it is read again. */
export function noteStored(queryClient: QueryClient, template: Template): Template {
  const input = { params: { id: template.id } };
  const { version, updatedAt, updatedBy } = template;
  showNewer(queryClient, queryOptionsFor(getTemplate, input).queryKey, template);
  noteLatest(queryClient, template.id, { version, savedAt: updatedAt, savedBy: updatedBy, isYours: true });
  for (const { path } of [listTemplates, listTemplateVersions])
    void queryClient.invalidateQueries({ queryKey: [path] });
  return template;
}
