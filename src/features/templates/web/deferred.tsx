import { Skeleton } from '@mantine/core';
import { deferred } from '#platform/web/components/deferred.tsx';
import type { EmailPreviewProps } from './email-preview.tsx';

/** A whole message as a contact gets it, for features that send. */
export const EmailPreview = deferred<EmailPreviewProps>(
  async () => (await import('./email-preview.tsx')).EmailPreview,
  () => <Skeleton height={640} radius={8} />,
);
