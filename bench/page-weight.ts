import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { report } from './report.ts';

// The compressed JavaScript that the page loads at once: its scripts and their static imports.
const folder = fileURLToPath(new URL('../dist/web/', import.meta.url));
const page = readFileSync(`${folder}index.html`, 'utf8');
const wanted = [...page.matchAll(/(?:src|href)="\/?([^"]+\.js)"/g)].map((found) => found[1] ?? '');
const seen = new Set<string>();
let bytes = 0;
while (wanted.length > 0) {
  const file = wanted.pop() ?? '';
  if (seen.has(file)) continue;
  seen.add(file);
  const text = readFileSync(folder + file, 'utf8');
  bytes += gzipSync(text).length;
  for (const [, name] of text.matchAll(/(?:from|import)\s*"\.\/([^"]+\.js)"/g)) wanted.push(`assets/${name}`);
}
report({
  promise: 'JavaScript of the first page, compressed',
  figure: `${(bytes / 1000).toFixed(0)} kB in ${seen.size} files`,
  against: '250 kB',
  ratio: bytes / 250_000,
});
