/**
 * Fetches the visual editor with MJML, all at once, when somebody is about to open it. Otherwise
 * each part would be asked for only by the one before it.
 */
export function preloadVisualEditor(): void {
  const parts = [
    import('./editor-page.tsx'),
    import('../visual/visual-editor.tsx'),
    import('../../rules/document/render.ts'),
  ];
  // Who opens it asks again, and is told.
  void Promise.all(parts).catch(() => undefined);
}
