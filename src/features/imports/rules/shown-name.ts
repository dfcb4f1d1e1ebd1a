const addressBehind = /(?:\([^\s()@]+@[^\s()@]+\)|<[^\s<>@]+@[^\s<>@]+>)$/;

/**
 * A name as mail programs show it, "Jane Smith (jane@acme.co.uk)", without the address behind it:
 * nobody is greeted by that. Any other text stays as it is.
 */
export function withoutShownAddress(name: string): string {
  if (!name.includes('@')) return name;
  const rest = name.replace(addressBehind, '').trimEnd();
  if (rest === name.trimEnd() || rest === '') return name;
  return rest.replace(/^(['"])(.+)\1$/, '$2').trim();
}

/** The name before an address in the same cell, "Jane Smith <jane@acme.co.uk>"; else nothing. */
export function nameBeforeAddress(cell: string): string {
  const text = cell.trim();
  // Nearly all cells hold an address alone.
  if (!text.endsWith('>') && !text.endsWith(')')) return '';
  const name = withoutShownAddress(text);
  return name === text || name.includes('@') ? '' : name;
}
