import { isImportable, onlyTables } from '../rules/file-names.ts';

const bytesPerMegabyte = 1_048_576;

export const oneFile = 'Choose one file at a time.';

/**
 * Why a file cannot be sent, in the server's own words, or null. This check comes before the
 * upload, so that nobody waits for 100 MB to be refused. `maxFileSizeMb` is the workspace's
 * setting; undefined while it is unknown.
 */
export function refusalOf(
  file: Pick<File, 'name' | 'size'>,
  maxFileSizeMb: number | undefined,
): string | null {
  if (!isImportable(file.name)) return onlyTables(file.name);
  if (maxFileSizeMb !== undefined && file.size > maxFileSizeMb * bytesPerMegabyte) {
    return `The file is larger than the ${maxFileSizeMb} MB allowed. Split it and import the parts.`;
  }
  return null;
}
