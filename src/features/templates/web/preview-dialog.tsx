import { Button, Modal, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { queryOptionsFor } from '#platform/web/api.ts';
import { MayEditButton } from '#platform/web/components/may-edit-button.tsx';
import { ErrorLine, ErrorState } from '#platform/web/components/states.tsx';
import { getTemplate, type Template } from '../contract.ts';
import { withSamples } from '../rules/presets/sample.ts';
import { ContactChoice } from './contact-choice.tsx';
import { Findings } from './findings.tsx';
import { PreviewFrame } from './preview-frame.tsx';
import { SampleSender } from './sample-sender.tsx';
import { needsEditor } from './template-actions.ts';
import classes from './templates.module.css';
import { pageAddress, sampleSource } from './thumbnail.tsx';
import { useFilled } from './use-filled.ts';
import { usePreset } from './use-presets.ts';

interface FrameProps {
  opened: boolean;
  onClose: () => void;
  name: string | undefined;
  children: ReactNode;
  action: ReactNode;
}

const PreviewModal = ({ opened, onClose, name, children, action }: FrameProps) => (
  <Modal opened={opened} onClose={onClose} title={`Template Preview: ${name ?? '…'}`} size={780}>
    {children}
    <div className={classes.dialogButtons}>
      <Button variant="subtle" color="gray" onClick={onClose}>
        Close
      </Button>
      {action}
    </div>
  </Modal>
);

/** What stood last, for the moment in which a dialog fades out. */
export function useLast<T>(value: T | undefined): T | undefined {
  const [last, setLast] = useState(value);
  useEffect(() => {
    if (value !== undefined) setLast(value);
  }, [value]);
  return value ?? last;
}

interface TemplatePreviewProps {
  id: number | undefined;
  /** For whom it is filled. Undefined: with sample values. */
  contact: number | undefined;
  onContact: (contact: number | undefined) => void;
  onClose: () => void;
  onEdit: (id: number) => void;
}

/** A template as people get it. */
export function TemplatePreview({ id, contact, onContact, onClose, onEdit }: TemplatePreviewProps) {
  const shownId = useLast(id);
  const { data, error } = useQuery({
    ...queryOptionsFor(getTemplate, { params: { id: shownId ?? 0 } }),
    enabled: shownId !== undefined,
  });
  return (
    <PreviewModal
      opened={id !== undefined}
      onClose={onClose}
      name={data?.name}
      action={
        data && (
          <MayEditButton why={needsEditor} onClick={() => onEdit(data.id)}>
            Edit
          </MayEditButton>
        )
      }
    >
      {data ? (
        <Filled key={data.id} template={data} contact={contact} onContact={onContact} />
      ) : error ? (
        <ErrorState title="The template could not be loaded" error={error} />
      ) : (
        <Skeleton height={480} />
      )}
    </PreviewModal>
  );
}

interface FilledProps extends Pick<TemplatePreviewProps, 'contact' | 'onContact'> {
  template: Template;
}

function Filled({ template, contact, onContact }: FilledProps) {
  const { name, htmlContent, textContent } = template;
  const { data, error } = useFilled({ htmlContent, textContent, contactId: contact });
  return (
    <div className={classes.filled}>
      <PreviewFrame
        name={name}
        source={{ src: pageAddress(template, contact) }}
        dark={{ src: pageAddress(template, contact, true) }}
        text={data?.text ?? ''}
        aside={<ContactChoice chosen={data?.contact} onChoose={onContact} />}
      />
      <SampleSender preview={data} />
      {error ? (
        <ErrorLine title="The template could not be filled." error={error} />
      ) : (
        <Findings preview={data} />
      )}
    </div>
  );
}

interface PresetPreviewProps {
  id: string | undefined;
  onClose: () => void;
  onUse: (id: string) => void;
}

/** A preset with sample values. */
export function PresetPreview({ id, onClose, onUse }: PresetPreviewProps) {
  const preset = useLast(usePreset(id));
  return (
    <PreviewModal
      opened={id !== undefined && preset !== undefined}
      onClose={onClose}
      name={preset?.name}
      action={
        <MayEditButton why={needsEditor} onClick={() => preset && onUse(preset.id)}>
          Use Template
        </MayEditButton>
      }
    >
      {preset && (
        <PreviewFrame
          key={preset.id}
          name={preset.name}
          source={sampleSource(preset.htmlContent)}
          dark={sampleSource(preset.htmlContent, true)}
          text={withSamples(preset.textContent)}
        />
      )}
    </PreviewModal>
  );
}
