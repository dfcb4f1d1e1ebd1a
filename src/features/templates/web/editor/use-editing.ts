import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { call, queryOptionsFor } from '#platform/web/api.ts';
import { useMay } from '#platform/web/current-user.ts';
import { showNewer } from '#platform/web/query-client.ts';
import {
  changeTemplate,
  createTemplate,
  getTemplate,
  listTemplates,
  listTemplateVersions,
  type Template,
} from '../../contract.ts';
import { tellFailed } from '../template-actions.ts';
import { bodyOf, type Draft } from './content.ts';
import { noteLatest } from './presence/use-presence.ts';
import { Saver, type SaverState, type Sending } from './saver.ts';

interface Options {
  /** Null: a new one is made. */
  template: Template | null;
  begin: Draft;
}

export interface Editing extends SaverState {
  saver: Saver;
}

/** What somebody writes, and how it is saved. */
export function useEditing({ template, begin }: Options): Editing {
  const queryClient = useQueryClient();
  const mayWrite = useMay('editor');
  const [saver] = useState(
    () =>
      new Saver({
        template,
        begin,
        mayWrite,
        problemOf,
        send: async (sending) => noteStored(queryClient, await send(sending)),
        onFailed: (error) => tellFailed(error, 'Failed to create template'),
      }),
  );
  const state = useSyncExternalStore(saver.subscribe, saver.state);
  useEffect(() => {
    saver.start();
    const hurry = () => void saver.save('auto');
    const leave = () => document.visibilityState === 'hidden' && hurry();
    // Whoever looks elsewhere may not come back, and who is online again need not wait.
    document.addEventListener('visibilitychange', leave);
    window.addEventListener('online', hurry);
    return () => {
      saver.stop();
      document.removeEventListener('visibilitychange', leave);
      window.removeEventListener('online', hurry);
    };
  }, [saver]);
  return { ...state, saver };
}

function send({ draft, id, version, isAutomatic, key }: Sending): Promise<Template> {
  const body = bodyOf(draft);
  if (id === null) return call(createTemplate, { body, headers: { 'idempotency-key': key } });
  return call(changeTemplate, {
    params: { id },
    body: { ...body, ...(version === undefined ? {} : { version }), autosave: isAutomatic },
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
