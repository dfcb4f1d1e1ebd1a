import { Skeleton } from '@mantine/core';
import { deferred } from '#platform/web/components/deferred.tsx';
import type { ContactChoiceProps } from './contact-choice.tsx';
import type { EmailEditorProps } from './editor/email-editor.tsx';
import type { EmailPreviewProps } from './email-preview.tsx';

/** A whole message as a contact gets it, for features that send. */
export const EmailPreview = deferred<EmailPreviewProps>(
  async () => (await import('./email-preview.tsx')).EmailPreview,
  () => <Skeleton height={640} radius={8} />,
);

/** The editor of a message, in one of its three ways, for features that keep their own. */
export const EmailEditor = deferred<EmailEditorProps>(
  async () => (await import('./editor/email-editor.tsx')).EmailEditor,
  () => <Skeleton height={520} radius={8} />,
);

/** For whom a message is filled, for features that send tests. */
export const ContactChoice = deferred<ContactChoiceProps>(
  async () => (await import('./contact-choice.tsx')).ContactChoice,
  () => <Skeleton height={36} radius={8} />,
);
