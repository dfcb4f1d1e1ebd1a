/**
 * What to begin a correction with: the address that was probably meant, or what the row has of one.
 */
export function addressToCorrect({ why, text }: { why: string; text: string }): string {
  const meant = /Did you mean (\S+@\S+)\?$/.exec(why)?.[1];
  if (meant !== undefined) return meant;
  const cells = text.split(/[,;\t|]/).map((cell) => cell.replace(/^[\s"'<]+|[\s"'>]+$/g, ''));
  return cells.find((cell) => cell.includes('@')) ?? cells[0] ?? '';
}
