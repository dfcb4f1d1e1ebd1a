/** The entries that hold every typed word in their label or keywords, in their own order; all for no words. */
export function matching<T extends { label: string; keywords?: string }>(
  entries: readonly T[],
  typed: string,
): T[] {
  const wanted = typed.toLowerCase().split(/\s+/).filter(Boolean);
  return entries.filter(({ label, keywords = '' }) => {
    const text = `${label} ${keywords}`.toLowerCase();
    return wanted.every((word) => text.includes(word));
  });
}
