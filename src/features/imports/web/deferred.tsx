import { deferred } from '#platform/web/components/deferred.tsx';

/**
 * The dashed card to drop a CSV on, with the result of the last import. It contains its own import
 * dialog. This module is part of the first page load, so the card itself loads only with the screen
 * that shows it.
 */
export const ImportDropArea = deferred(
  async () => (await import('./import-drop-area.tsx')).default,
  () => <div style={{ minHeight: 206 }} />,
);
