import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError, call, isRefusal, words } from '#platform/web/api.ts';
import { changeTemplate, createTemplate, type Template } from '../../contract.ts';
import { refreshTemplates, tellFailed } from '../template-actions.ts';
import { bodyOf, type Draft, draftOf } from './content.ts';

interface Options {
  /** Null: a new one is made. */
  template: Template | null;
  begin: Draft;
  onCreated: (template: Template) => void;
}

export type Editing = ReturnType<typeof useEditing>;

/** What somebody writes, and how it is saved. Nobody's change is overwritten without a word. */
export function useEditing({ template, begin, onCreated }: Options) {
  const queryClient = useQueryClient();
  const [draft, setDraft] = useState(begin);
  const [kept, setKept] = useState(() => JSON.stringify(begin));
  const [version, setVersion] = useState(template?.version);
  const [savedAt, setSavedAt] = useState<Date | null>(null);
  const [refusal, setRefusal] = useState<string | null>(null);
  /** Somebody else has saved a newer version meanwhile. */
  const [isOvertaken, setOvertaken] = useState(false);
  const [pending, setPending] = useState(false);

  const fail = (failure: unknown) => {
    const isChanged = failure instanceof ApiError && failure.code === 'changed_meanwhile';
    setOvertaken(isChanged);
    if (isRefusal(failure) && failure instanceof ApiError)
      setRefusal(Object.values(failure.fields).map(String).join(' ') || words(failure));
    else tellFailed(failure, template ? 'Failed to update template' : 'Failed to create template');
  };
  const save = async (over = false) => {
    if (pending) return;
    setPending(true);
    setRefusal(null);
    try {
      const body = bodyOf(draft);
      const saved = template
        ? await call(changeTemplate, {
            params: { id: template.id },
            body: { ...body, ...(over || version === undefined ? {} : { version }) },
          })
        : await call(createTemplate, { body });
      setKept(JSON.stringify(draft));
      setVersion(saved.version);
      setSavedAt(new Date());
      setOvertaken(false);
      if (!template) onCreated(saved);
      await refreshTemplates(queryClient);
    } catch (failure) {
      fail(failure);
    } finally {
      setPending(false);
    }
  };
  /** Takes what somebody else has saved. */
  const take = (theirs: Template) => {
    setDraft(draftOf(theirs));
    setKept(JSON.stringify(draftOf(theirs)));
    setVersion(theirs.version);
    setOvertaken(false);
    setRefusal(null);
  };
  return {
    draft,
    change: (patch: Partial<Draft>) => setDraft((before) => ({ ...before, ...patch })),
    isChanged: JSON.stringify(draft) !== kept,
    isOvertaken,
    pending,
    refusal,
    savedAt,
    save,
    take,
  };
}
