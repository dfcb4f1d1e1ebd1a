import { Select, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { preparedTakeBack, takeBack } from '#features/images/web/index.ts';
import { ApiError, call, words } from '#platform/web/api.ts';
import { FormDialog } from '#platform/web/components/dialogs.tsx';
import { toastDone } from '#platform/web/toast.tsx';
import { createTemplate, longestTemplateName } from '../../contract.ts';
import { categoryLabels, type TemplateCategory, templateCategories } from '../../rules/categories.ts';
import { LivePreview } from '../live-preview.tsx';
import { refreshTemplates } from '../template-actions.ts';
import classes from '../templates.module.css';
import { ImportReport } from './import-report.tsx';
import type { Imported } from './imported.ts';

interface ImportedDialogProps {
  imported: Imported;
  /** What the template may be called. */
  name: string;
  onClose: () => void;
}

/** What became of the HTML, before it is kept as a template. */
export function ImportedDialog({ imported, name: begin, onClose }: ImportedDialogProps) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const [name, setName] = useState(begin);
  const [category, setCategory] = useState<TemplateCategory>('custom');
  const [errors, setErrors] = useState<Record<string, string>>({});
  const [refusal, setRefusal] = useState<string | null>(null);
  const [pending, setPending] = useState(false);
  const { htmlContent } = imported;
  const isKept = useImagesOf(imported);
  const create = async () => {
    setPending(true);
    setErrors({});
    setRefusal(null);
    try {
      // The text version stays empty, so that it follows the HTML.
      isKept.current = true;
      const { id } = await call(createTemplate, { body: { name, category, htmlContent } });
      toastDone({
        title: 'Template Created',
        message: 'Your email template has been created successfully.',
      });
      await navigate({ to: '/templates/$id', params: { id: String(id) } });
      await refreshTemplates(queryClient);
    } catch (failure) {
      isKept.current = false;
      const { name: ofName, ...others } = failure instanceof ApiError ? failure.fields : {};
      if (ofName) setErrors({ name: ofName });
      else setRefusal(Object.values(others)[0] ?? words(failure, 'Failed to create template'));
      setPending(false);
    }
  };
  return (
    <FormDialog
      opened
      onClose={onClose}
      title="Imported HTML"
      width={1080}
      submitLabel="Create Template"
      pendingLabel="Creating..."
      pending={pending}
      isChanged
      discarding="The imported HTML, and the images that it brought, are not kept."
      error={refusal}
      onSubmit={() => void create()}
    >
      <div className={classes.writing}>
        <div className={classes.fields}>
          <div className={classes.nameAndCategory}>
            <TextInput
              label="Template Name"
              data-autofocus
              maxLength={longestTemplateName}
              autoComplete="off"
              value={name}
              error={errors.name}
              onChange={({ currentTarget: { value } }) => setName(value)}
            />
            <Select
              label="Category"
              allowDeselect={false}
              data={templateCategories.map((value) => ({ value, label: categoryLabels[value] }))}
              value={category}
              onChange={(value) => setCategory((value ?? 'custom') as TemplateCategory)}
            />
          </div>
          <ImportReport imported={imported} />
        </div>
        <LivePreview name={name} written={{ htmlContent }} textContent="" />
      </div>
    </FormDialog>
  );
}

/**
 * Without a template, the images that the zip brought leave the library again, also when the page
 * is closed.
 */
function useImagesOf({ images = [] }: Imported) {
  const queryClient = useQueryClient();
  const isKept = useRef(false);
  const leaving = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    // React mounts twice in development: then nobody has left.
    clearTimeout(leaving.current);
    const brought = [...new Set(images.filter(({ wasThere }) => !wasThere).map(({ id }) => id))];
    let tell: (() => void) | undefined;
    if (brought.length > 0)
      void preparedTakeBack(brought).then(
        (prepared) => {
          tell = prepared;
        },
        () => undefined,
      );
    const close = () => {
      if (!isKept.current) tell?.();
    };
    window.addEventListener('pagehide', close);
    return () => {
      window.removeEventListener('pagehide', close);
      if (!isKept.current) leaving.current = setTimeout(() => void takeBack(queryClient, brought));
    };
  }, []);
  return isKept;
}
