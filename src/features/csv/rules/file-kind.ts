/**
 * Describes a file that is certainly not a CSV, for the person who chose it; null when it may be
 * one.
 */
export function describeOtherKind(head: Uint8Array): string | null {
  for (const [signature, sentence] of signatures) {
    if (signature.every((byte, i) => byte === -1 || head[i] === byte)) return sentence;
  }
  if (startsWith(head, 0, 'PK\u0003\u0004')) return describeZip(head);
  if (startsWith(head, 0, 'RIFF')) return sayMedia('a picture, sound or video');
  if (startsWith(head, 4, 'ftyp')) return sayMedia('a picture or video');
  const text = latin1(head.subarray(0, 512))
    .replace(/^\u00ef\u00bb\u00bf/, '')
    .trimStart();
  for (const [pattern, sentence] of textKinds) if (pattern.test(text)) return sentence;
  return null;
}

/** Whether single-byte text has so many control characters that it is not text. */
export function looksBinary(head: Uint8Array, validUtf8: boolean): boolean {
  let controls = 0;
  for (const byte of head) {
    if (byte < 32 && !(byte >= 9 && byte <= 13) && byte !== 26 && byte !== 27) controls++;
  }
  // Among random bytes, 9% are control characters. Damaged text has fewer, and its NULs are
  // dropped row by row.
  return controls > head.length * (validUtf8 ? 0.1 : 0.02);
}

const saveAsCsv = 'Save it as CSV and import that.';
const sayMedia = (what: string) => `This is ${what}, not a CSV file. Choose a CSV file instead.`;
const unpack = (what: string) => `This is ${what} archive. Unpack it and import the CSV file inside.`;

const signatures: [number[], string][] = [
  [[0x89, 0x50, 0x4e, 0x47], sayMedia('a PNG picture')],
  [[0xff, 0xd8, 0xff], sayMedia('a JPEG picture')],
  [bytesOf('GIF8'), sayMedia('a GIF picture')],
  [bytesOf('%PDF-'), 'This is a PDF document, not a CSV file. Export the list as CSV and import that.'],
  [[0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1], `This is an old Excel or Word file. ${saveAsCsv}`],
  [[0x1f, 0x8b], unpack('a gzip')],
  [bytesOf('BZh'), unpack('a bzip2')],
  [[0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00], unpack('an xz')],
  [[0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c], unpack('a 7-Zip')],
  [[0x28, 0xb5, 0x2f, 0xfd], unpack('a Zstandard')],
  [bytesOf('Rar!\u001a'), unpack('a RAR')],
  [bytesOf('PK\u0005\u0006'), 'This is an empty ZIP archive. Choose a CSV file instead.'],
  [bytesOf('SQLite format 3\0'), 'This is a SQLite database. Export its table as CSV and import that.'],
  [bytesOf('PAR1'), 'This is a Parquet file. Export it as CSV and import that.'],
  [[0x7f, 0x45, 0x4c, 0x46], 'This is a program, not a CSV file. Choose a CSV file instead.'],
  [[0x4d, 0x5a, -1, 0x00], 'This is a program, not a CSV file. Choose a CSV file instead.'],
  [bytesOf('ID3'), sayMedia('a sound')],
  [[0xff, 0xfe, 0x00, 0x00], 'This file is encoded as UTF-32. Save it as CSV in UTF-8 and import that.'],
  [[0x00, 0x00, 0xfe, 0xff], 'This file is encoded as UTF-32. Save it as CSV in UTF-8 and import that.'],
];

const textKinds: [RegExp, string][] = [
  [/^\{\\rtf/, `This is a rich text document. ${saveAsCsv}`],
  [/^(<!doctype html|<html)/i, 'This is a web page, not a CSV file. Export the list as CSV and import that.'],
  [/^<\?xml/i, 'This is an XML file. Export the list as CSV and import that.'],
  [/^(\[\s*[[{"]|\[\s*\]|\{\s*["}])/, 'This is a JSON file. Export the list as CSV and import that.'],
  [/^BEGIN:VCARD/i, 'This is a contacts file (vCard). Export the contacts as CSV and import that.'],
  [/^%!PS/, 'This is a PostScript document, not a CSV file. Export the list as CSV and import that.'],
];

const hasFolderOfExcel = (text: string): boolean =>
  text.includes('xl/') || (text.includes('[Content_Types].xml') && !/word\/|ppt\//.test(text));

/** Whether a file may be a workbook of the kind .xlsx: a ZIP with the folder of one. */
export const looksLikeWorkbook = (head: Uint8Array): boolean =>
  startsWith(head, 0, 'PK\u0003\u0004') && hasFolderOfExcel(latin1(head.subarray(0, 65_536)));

/**
 * A ZIP contains its entries' names as plain text. In an office file they start with the program's
 * folder.
 */
function describeZip(head: Uint8Array): string {
  const text = latin1(head.subarray(0, 65_536));
  if (hasFolderOfExcel(text)) return `This is an Excel workbook. ${saveAsCsv}`;
  if (text.includes('word/'))
    return `This is a Word document. Put the list into a spreadsheet, save it as CSV and import that.`;
  if (text.includes('ppt/'))
    return 'This is a PowerPoint presentation, not a CSV file. Choose a CSV file instead.';
  if (text.includes('opendocument.spreadsheet')) return `This is an OpenDocument spreadsheet. ${saveAsCsv}`;
  if (text.includes('.numbers') || text.includes('Index/Document.iwa'))
    return `This is a Numbers spreadsheet. ${saveAsCsv}`;
  return unpack('a ZIP');
}

function startsWith(bytes: Uint8Array, at: number, text: string): boolean {
  return bytesOf(text).every((byte, i) => bytes[at + i] === byte);
}

function bytesOf(text: string): number[] {
  return Array.from(text, (character) => character.charCodeAt(0));
}

function latin1(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 4_096) {
    text += String.fromCharCode(...bytes.subarray(at, at + 4_096));
  }
  return text;
}
