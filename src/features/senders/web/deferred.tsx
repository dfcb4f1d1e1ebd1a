import { TextInput } from '@mantine/core';
import { deferred } from '#platform/web/components/deferred.tsx';
import type { SenderSelectProps } from './sender-select.tsx';

/*
 * What other screens show of this feature. Its entry is part of the first page load, so the screen
 * that shows this fetches it.
 */

/** Chooses a sender among the addresses of the workspace. */
export const SenderSelect = deferred<SenderSelectProps>(
  async () => (await import('./sender-select.tsx')).SenderSelect,
  () => <TextInput label="From" disabled value="" />,
);
