import { useEffect, useState } from 'react';

/**
 * True once `active` has lasted for `milliseconds`: what is quick shows no sign of waiting at all.
 */
export function useLate(active: boolean, milliseconds = 150): boolean {
  const [late, setLate] = useState(false);
  useEffect(() => {
    if (!active) return setLate(false);
    const timer = setTimeout(() => setLate(true), milliseconds);
    return () => clearTimeout(timer);
  }, [active, milliseconds]);
  return active && late;
}
