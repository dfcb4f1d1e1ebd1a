import { type RefObject, useEffect, useRef, useState } from 'react';
import { isAmongRows, toFirstRow } from './rows-by-key.ts';
import { useEscape } from './use-escape.ts';

/**
 * The way from a search field into the rows below it, and with Escape back. It ends when the focus
 * goes anywhere else.
 */
export function useRowsBelow(field: RefObject<HTMLInputElement | null>) {
  const [isThere, setIsThere] = useState(false);
  const callOff = useRef<() => void>(() => {});
  useEscape(isThere, () => field.current?.focus());
  useEffect(() => {
    if (!isThere) return;
    const onFocus = ({ target }: FocusEvent) => {
      if (!isAmongRows(target)) setIsThere(false);
    };
    document.addEventListener('focusin', onFocus);
    return () => document.removeEventListener('focusin', onFocus);
  }, [isThere]);
  useEffect(() => () => callOff.current(), []);
  return (isSettled: boolean) => {
    callOff.current();
    if (field.current) callOff.current = toFirstRow(field.current, isSettled, () => setIsThere(true));
  };
}
