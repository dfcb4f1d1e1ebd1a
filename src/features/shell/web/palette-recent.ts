const storageKey = 'palette-recent';
const mostKept = 4;

/**
 * The last choices in the palette, newest first. Only names of screens and actions, nothing of the
 * workspace's data.
 */
export function recentLabels(): string[] {
  try {
    const kept: unknown = JSON.parse(window.localStorage.getItem(storageKey) ?? '[]');
    return Array.isArray(kept) ? kept.filter((label) => typeof label === 'string').slice(0, mostKept) : [];
  } catch {
    // Storage is switched off, or somebody else wrote there.
    return [];
  }
}

/** Puts one in front, and returns them all. */
export function noteRecent(label: string): string[] {
  const labels = [label, ...recentLabels().filter((other) => other !== label)].slice(0, mostKept);
  try {
    window.localStorage.setItem(storageKey, JSON.stringify(labels));
  } catch {
    // Without storage they last as long as the page.
  }
  return labels;
}
