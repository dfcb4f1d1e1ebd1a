import { useState } from 'react';
import { ApiError, words } from '../api.ts';

/** The state of a form that makes one call. */
export function useSending() {
  const [pending, setPending] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const fields: Record<string, string> = error instanceof ApiError ? error.fields : {};
  const send = async (work: () => Promise<unknown>) => {
    setPending(true);
    setError(null);
    try {
      await work();
    } catch (failure) {
      setError(failure);
    }
    setPending(false);
  };
  const elsewhere = error !== null && Object.keys(fields).length === 0 ? words(error) : null;
  return { pending, fields, error: elsewhere, send, forget: () => setError(null) };
}
