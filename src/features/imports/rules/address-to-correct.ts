import { noAddress } from './left-out.ts';

/**
 * What to begin a correction with: the address that was probably meant, or what the row has of one.
 * Nothing where the row has none: an address in another column is somebody else's. `cell` is what
 * the import has read as the address. Absent, where nobody knows any more which column that was:
 * the text is searched.
 */
export function addressToCorrect({ why, text, cell }: { why: string; text: string; cell?: string }): string {
  if (why === noAddress) return '';
  const meant = /Did you mean (\S+@\S+)\?$/.exec(why)?.[1];
  if (meant !== undefined) return meant;
  // Where a line has several addresses, the reason names the one that it is about.
  const named = /^(\S+@\S*): /.exec(why)?.[1];
  if (named !== undefined) return named;
  if (cell !== undefined) return /<([^<>]+)>\s*$/.exec(cell)?.[1] ?? cell.trim();
  const cells = text.split(/[,;\t|]/).map((cell) => cell.replace(/^[\s"'<]+|[\s"'>]+$/g, ''));
  const withAt = cells.filter((cell) => cell.includes('@'));
  const ending = /^Ends in (\.\S+)$/.exec(why)?.[1];
  const fitting = ending && withAt.find((cell) => cell.toLowerCase().endsWith(ending));
  return fitting || (withAt[0] ?? cells[0] ?? '');
}
