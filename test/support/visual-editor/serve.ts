import { resolve } from 'node:path';
import react from '@vitejs/plugin-react';
import { build, preview } from 'vite';

/** The policy of the product's own pages, see `src/apps/pages.ts`. */
const policy =
  "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; " +
  "object-src 'none'; frame-ancestors 'none'";

/** Builds the page that holds nothing but the visual editor, and serves it. */
export async function serveVisualEditor(): Promise<{ address: string; close: () => Promise<void> }> {
  const shared = {
    configFile: false as const,
    root: import.meta.dirname,
    logLevel: 'error' as const,
    css: { postcss: resolve('.') },
    plugins: [react()],
    build: {
      outDir: resolve('.tmp/visual-editor'),
      emptyOutDir: true,
      assetsInlineLimit: 0,
      chunkSizeWarningLimit: 5_000,
    },
  };
  await build(shared);
  const server = await preview({
    ...shared,
    preview: { port: 0, headers: { 'content-security-policy': policy } },
  });
  return { address: server.resolvedUrls?.local[0] ?? '', close: () => server.close() };
}
