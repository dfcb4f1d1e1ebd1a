import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** The development server passes `/api` on to the API at this port. */
const apiPort = process.env.API_PORT ?? '3000';

export default defineConfig({
  plugins: [react()],
  publicDir: 'src/platform/web/public',
  build: {
    outDir: 'dist/web',
    emptyOutDir: true,
    // Fonts stay files. As data they would block the first paint and need `data:` in the content
    // policy.
    assetsInlineLimit: 0,
  },
  server: {
    proxy: { '/api': { target: `http://127.0.0.1:${apiPort}`, changeOrigin: false } },
  },
});
