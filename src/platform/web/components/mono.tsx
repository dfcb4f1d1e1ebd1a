import type { ReactNode } from 'react';

/** Raw file text, DNS records, keys and code. */
export function Mono({ children }: { children: ReactNode }) {
  return <span style={{ fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 12 }}>{children}</span>;
}
