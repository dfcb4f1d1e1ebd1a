import { type FileHandle, open } from 'node:fs/promises';
import { looksLikeWorkbook } from '#features/csv/rules.ts';
import { isProtected } from './failures.ts';

const headBytes = 65_536;
/** The mark of a compound file: an old .xls, or a workbook with a password. */
const compound = Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]);
const encrypted = Buffer.from('EncryptedPackage', 'utf16le');
const searchedBytes = 2_097_152;

/**
 * Whether a file may be a workbook of the kind .xlsx, by its beginning.
 *
 * @throws AppError `not_csv`: a workbook with a password, which is another kind of file.
 */
export async function isWorkbook(path: string): Promise<boolean> {
  const file = await open(path, 'r');
  try {
    const head = await bytesAt(file, 0, headBytes);
    if (head.subarray(0, compound.length).equals(compound) && (await isEncrypted(file))) throw isProtected();
    return looksLikeWorkbook(head);
  } finally {
    await file.close();
  }
}

/** The directory of a compound file may stand anywhere, mostly at one of its ends. */
async function isEncrypted(file: FileHandle): Promise<boolean> {
  const { size } = await file.stat();
  const first = await bytesAt(file, 0, searchedBytes);
  const last = await bytesAt(file, Math.max(0, size - searchedBytes), searchedBytes);
  return first.includes(encrypted) || last.includes(encrypted);
}

async function bytesAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position);
  return buffer.subarray(0, bytesRead);
}
