/** What can be uploaded. */
export const takenKinds = ['png', 'jpeg', 'gif', 'webp'] as const;
export type TakenKind = (typeof takenKinds)[number];

/** What a file is by its first bytes, in words for the person who sent it. Null: we do not know. */
type Kind = TakenKind | 'SVG' | 'PDF' | 'HTML' | 'BMP' | 'TIFF' | 'icon' | 'HEIC' | 'AVIF' | 'ZIP' | null;

const ascii = (bytes: Uint8Array, from: number, to: number): string =>
  String.fromCharCode(...bytes.subarray(from, to));

const beginnings: readonly [string, Kind][] = [
  ['\x89PNG\r\n\x1a\n', 'png'],
  ['\xff\xd8\xff', 'jpeg'],
  ['GIF87a', 'gif'],
  ['GIF89a', 'gif'],
  ['%PDF-', 'PDF'],
  ['BM', 'BMP'],
  ['II*\0', 'TIFF'],
  ['MM\0*', 'TIFF'],
  ['\0\0\x01\0', 'icon'],
  ['PK\x03\x04', 'ZIP'],
];

/** Reads the first bytes of a file. Its name does not count. */
export function kindOf(bytes: Uint8Array): Kind {
  const start = ascii(bytes, 0, 16);
  const known = beginnings.find(([beginning]) => start.startsWith(beginning))?.[1];
  if (known) return known;
  if (start.startsWith('RIFF') && start.slice(8, 12) === 'WEBP') return 'webp';
  if (start.slice(4, 8) === 'ftyp') return start.slice(8, 12).startsWith('avi') ? 'AVIF' : 'HEIC';
  return kindOfText(ascii(bytes, 0, 1024));
}

/** SVG may begin with a declaration, comments, a doctype, or blanks. */
function kindOfText(text: string): Kind {
  if (/<svg[\s>]/i.test(text)) return 'SVG';
  return /<(!doctype html|html|script|body)\b/i.test(text) ? 'HTML' : null;
}

export const isTaken = (kind: Kind): kind is TakenKind => (takenKinds as readonly Kind[]).includes(kind);

/** Why a file is refused, and what to do. */
export function whyRefused(kind: Exclude<Kind, TakenKind>): string {
  if (kind === 'SVG')
    return 'This is an SVG drawing. Mail programs do not show those, and they may run scripts. Save it as PNG.';
  if (kind === 'HEIC' || kind === 'AVIF' || kind === 'BMP' || kind === 'TIFF')
    return `This is a ${kind} file, which mail programs do not show. Save it as JPEG or PNG.`;
  const what = kind === null ? 'not an image' : `${kind === 'icon' ? 'an' : 'a'} ${kind} file`;
  return `This file is ${what}. Choose a PNG, JPEG, GIF or WebP image.`;
}
