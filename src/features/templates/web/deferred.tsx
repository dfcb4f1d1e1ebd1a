import { Skeleton } from '@mantine/core';
import { deferred } from '#platform/web/components/deferred.tsx';
import type { EmailEditorProps } from './editor/email-editor.tsx';
import type { EmailPreviewProps } from './email-preview.tsx';
import type { TestFormProps } from './test-form.tsx';

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

/** Asks to whom a test goes, for features that send tests of their own. */
export const TestForm = deferred<TestFormProps>(async () => (await import('./test-form.tsx')).TestForm);
