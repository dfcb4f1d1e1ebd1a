import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { withoutWords } from './scripts/without-words.ts';

/** The development server passes `/api` and the images of emails on to the API at this port. */
const apiPort = process.env.API_PORT ?? '3000';

const [brotli, zip] = [promisify(brotliCompress), promisify(gzip)];

/**
 * Writes each text of the build compressed beside it, for the server to send as it is. Browsers
 * take Brotli over https only.
 */
const compressed: Plugin = {
  name: 'compressed',
  apply: 'build',
  generateBundle: {
    order: 'post',
    async handler(_, bundle) {
      const texts = Object.values(bundle).filter(({ fileName }) => /\.(js|css|html|svg)$/.test(fileName));
      await Promise.all(
        texts.map(async (file) => {
          const text = Buffer.from(file.type === 'chunk' ? file.code : file.source);
          const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 10 } };
          this.emitFile({
            type: 'asset',
            fileName: `${file.fileName}.br`,
            source: await brotli(text, quality),
          });
          this.emitFile({
            type: 'asset',
            fileName: `${file.fileName}.gz`,
            source: await zip(text, { level: 9 }),
          });
        }),
      );
    },
  },
};

export default defineConfig({
  plugins: [react(), withoutWords, compressed],
  publicDir: 'src/platform/web/public',
  build: {
    outDir: 'dist/web',
    emptyOutDir: true,
    // Fonts stay files. As data they would block the first paint and need `data:` in the content
    // policy.
    assetsInlineLimit: 0,
    // One style sheet: the screens' own styles are small, and each file would be a request.
    cssCodeSplit: false,
    // In kB. The largest file makes an email's HTML of its blocks, and only the editor fetches it,
    // before it is needed. A warning at the first start would tell its reader nothing.
    chunkSizeWarningLimit: 1500,
    rolldownOptions: {
      output: {
        // Few files: each one costs a browser some milliseconds, and an import within it another
        // round. What every page needs is two files, and what screens share is two more. No file
        // may import another in a circle: then parts run before what they need (decision 39).
        codeSplitting: {
          groups: [
            { name: 'vendor', tags: ['$initial'], test: /[\\/]node_modules[\\/]/, priority: 2 },
            { name: 'start', tags: ['$initial'], priority: 1 },
            // Packages import nothing of ours.
            { name: 'kit', test: /[\\/]node_modules[\\/]/, minShareCount: 2, priority: 0.5 },
            { name: 'shared', minShareCount: 2 },
          ],
        },
        // A shared file would be named after all that share it.
        chunkFileNames: ({ name }) => `assets/${name.replace(/~.*/, '')}-[hash].js`,
      },
    },
  },
  server: {
    proxy: { '^/(api|i|o|c|u|p|v)/': { target: `http://127.0.0.1:${apiPort}`, changeOrigin: false } },
  },
});
