import { useEffect, useState } from 'react';

/**
 * True once `active` has lasted for `milliseconds`, so that quick work shows no sign of waiting.
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
