/**
 * The look of an email in mail programs that turn its colours round in the dark. They leave
 * pictures alone.
 */
export const turnedColours =
  'html { background: #121212; } body { filter: invert(0.9) hue-rotate(180deg); } ' +
  'img { filter: invert(1) hue-rotate(180deg); }';
