/**
 * The addresses in what somebody typed or pasted, with anything between them: `Jane Smith
 * <jane@acme.co.uk>; joe@acme.co.uk`. What is no address is kept, so that it can be told.
 */
export function typedAddresses(text: string): string[] {
  const found = text.split(/[,;\n\r|]+/).flatMap((part) => {
    const inBrackets = part.match(/<[^<>]*>/g);
    if (inBrackets) return inBrackets.map((one) => one.slice(1, -1).trim());
    const words = part.trim().split(/\s+/);
    return words.some((word) => word.includes('@'))
      ? words.filter((word) => word.includes('@'))
      : [words.join(' ')];
  });
  const seen = new Set<string>();
  return found.filter((address) => {
    const key = address.toLowerCase();
    return key !== '' && !seen.has(key) && seen.add(key);
  });
}
