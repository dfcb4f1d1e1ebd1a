import { useEffect, useState, useSyncExternalStore } from 'react';
import { Saver, type SaverOptions, type SaverState } from './saver.ts';
import { hideToastOfDraft } from './toast.tsx';

/**
 * Holds what somebody writes while its screen is open, and saves it by itself. `options` are made
 * once.
 */
export function useSaver<Draft extends object, Stored extends object, Version extends string | number>(
  options: () => SaverOptions<Draft, Stored, Version>,
): SaverState<Draft, Stored> & { saver: Saver<Draft, Stored, Version> } {
  const [saver] = useState(() => new Saver(options()));
  const state = useSyncExternalStore(saver.subscribe, saver.state);
  useEffect(() => {
    saver.start();
    const hurry = () => void saver.save('auto');
    const leave = () => document.visibilityState === 'hidden' && hurry();
    // Whoever looks elsewhere may not come back, and who is online again need not wait.
    document.addEventListener('visibilitychange', leave);
    window.addEventListener('online', hurry);
    return () => {
      saver.stop();
      hideToastOfDraft();
      document.removeEventListener('visibilitychange', leave);
      window.removeEventListener('online', hurry);
    };
  }, [saver]);
  return { ...state, saver };
}
