import { longestName } from './limits.ts';

/** The name of an image, from that of its file: without folders and ending, on one line. */
export function nameFrom(fileName: string): string {
  const plain = fileName
    .replace(/\.(png|jpe?g|jfif|gif|webp)$/i, '')
    .replace(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  return [...plain].slice(0, longestName).join('').trim() || 'Image';
}
