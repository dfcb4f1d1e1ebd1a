import { deferred } from '#platform/web/components/deferred.tsx';

/** Sets up two-factor sign-in. It draws QR codes, which no first page needs. */
export const SetUpDialog = deferred<{ onClose: () => void }>(
  async () => (await import('./two-factor-card.tsx')).SetUpDialog,
);
