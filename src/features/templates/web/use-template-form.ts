import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError, call, isChangedMeanwhile, isRefusal, words } from '#platform/web/api.ts';
import { toastDone } from '#platform/web/toast.tsx';
import { changeTemplate, createTemplate, type Template } from '../contract.ts';
import type { TemplateCategory } from '../rules/categories.ts';
import type { TemplateDocument } from '../rules/document/schema.ts';
import { refreshTemplates, tellFailed } from './template-actions.ts';

export interface TemplateFields {
  name: string;
  description: string;
  category: TemplateCategory;
  htmlContent: string;
  textContent: string;
}

export const blankFields: TemplateFields = {
  name: '',
  description: '',
  category: 'custom',
  htmlContent: '',
  textContent: '',
};

export const fieldsOf = (given: Partial<Record<keyof TemplateFields, string | null>>): TemplateFields => ({
  ...blankFields,
  ...Object.fromEntries(
    Object.keys(blankFields).flatMap((key) => {
      const value = given[key as keyof TemplateFields];
      return typeof value === 'string' ? [[key, value]] : [];
    }),
  ),
});

type Errors = Partial<Record<keyof TemplateFields, string>>;

/** What is wrong with the fields, in the contract's own words. */
function problemsOf(fields: TemplateFields): Errors {
  const parsed = createTemplate.body.safeParse(fields);
  const errors: Record<string, string> = {};
  for (const { path, message } of parsed.error?.issues ?? []) errors[String(path[0])] ??= message;
  return errors;
}

interface Options {
  /** The template that is changed. Null: a new one is made. */
  template: Template | null;
  begin: TemplateFields;
  /** What the HTML was made of. A template gets it, unless somebody has changed the HTML. */
  document?: TemplateDocument | undefined;
  /** `isVisual`: the new template can be opened in blocks. */
  onDone: (made?: { id: number; isVisual: boolean }) => void;
}

export type TemplateForm = ReturnType<typeof useTemplateForm>;

/** What is typed about a template, and how to save it. */
export function useTemplateForm({ template, begin, document, onDone }: Options) {
  const queryClient = useQueryClient();
  const [values, setValues] = useState(begin);
  const [errors, setErrors] = useState<Errors>({});
  const [refusal, setRefusal] = useState<string | null>(null);
  const [pending, setPending] = useState(false);
  /** Null means that the current version may be overwritten, whatever it is. */
  const [version, setVersion] = useState(template?.version ?? null);

  const fail = (failure: unknown, isNew: boolean) => {
    if (isChangedMeanwhile(failure)) {
      setVersion(null);
      setRefusal(`${words(failure)} Save again to have it your way. Theirs stays among the versions.`);
      void refreshTemplates(queryClient);
    } else if (isRefusal(failure) && failure instanceof ApiError) {
      setErrors(failure.fields as Errors);
      if (Object.keys(failure.fields).length === 0) setRefusal(words(failure));
    } else tellFailed(failure, isNew ? 'Failed to create template' : 'Failed to update template');
  };
  /** As a change of the template, or as a new one. */
  const save = async (asNew: boolean) => {
    const isNew = asNew || template === null;
    const problems = problemsOf(values);
    setErrors(problems);
    setRefusal(null);
    if (Object.keys(problems).length > 0) return;
    setPending(true);
    try {
      const { htmlContent, textContent, ...named } = values;
      const isVisual = document !== undefined && htmlContent === begin.htmlContent;
      // Without words of its own, the text part goes on following the blocks.
      const ownText = textContent === begin.textContent ? null : textContent;
      const body = isVisual ? { ...named, document, textContent: ownText } : values;
      const made = isNew ? await call(createTemplate, { body }) : undefined;
      if (!isNew)
        await call(changeTemplate, {
          params: { id: template.id },
          body: { ...values, ...(version === null ? {} : { version }) },
        });
      toastDone(isNew ? created : updated);
      onDone(made && { id: made.id, isVisual });
      await refreshTemplates(queryClient);
    } catch (failure) {
      fail(failure, isNew);
    } finally {
      setPending(false);
    }
  };
  const change = (patch: Partial<TemplateFields>) => {
    setValues((before) => ({ ...before, ...patch }));
    setErrors((before) => Object.fromEntries(Object.entries(before).filter(([field]) => !(field in patch))));
  };
  const isChanged = JSON.stringify(values) !== JSON.stringify(begin);
  return { values, errors, refusal, pending, isChanged, change, save };
}

const created = {
  title: 'Template Created',
  message: 'Your email template has been created successfully.',
};
const updated = {
  title: 'Template Updated',
  message: 'Your email template has been updated successfully.',
};
