import type { CSSProperties, ReactNode } from 'react';

const style = {
  fontFamily: 'var(--mantine-font-family-monospace)',
  fontSize: 12,
  // For code that calculates with the width of its letters.
  '--letter': '1ch',
} as CSSProperties;

/** Raw file text, DNS records, keys and code. */
export function Mono({ children }: { children: ReactNode }) {
  return <span style={style}>{children}</span>;
}
