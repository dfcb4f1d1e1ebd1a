const serif = new Set(['Georgia', 'Times New Roman']);

/** A font with the kind of font that takes its place. */
export function fontsOf(font: string): string {
  return `${font.includes(' ') ? `'${font}'` : font}, ${serif.has(font) ? 'serif' : 'sans-serif'}`;
}
