import { useEffect, useState } from 'react';
import { useMay } from '#platform/web/current-user.ts';
import { formatTime, formatWhen } from '#platform/web/format.ts';
import { keptWords } from '#platform/web/use-kept-draft.ts';
import { needsEditor } from '../template-actions.ts';
import type { Editing } from './use-editing.ts';

interface SaveStateProps {
  editing: Editing;
  /** What is not saved is kept in this browser. */
  isKept: boolean;
}

/** Whether what is written is safe. Read out only where it is not. */
export function SaveState({ editing, isKept }: SaveStateProps) {
  const mayWrite = useMay('editor');
  const isNew = useNow(editing.savedAt);
  const { isChanged, phase, refusal, isOvertaken } = editing;
  const isCalm = phase !== 'failing' && refusal === null && !isOvertaken;
  const words = !mayWrite && isChanged ? `Not saved. ${needsEditor}` : wordsOf(editing, isKept, isNew);
  return (
    <span role="status" aria-live={isCalm ? 'off' : 'polite'}>
      {words}
    </span>
  );
}

function wordsOf(editing: Editing, isKept: boolean, isNow: boolean): string {
  const { stored, isChanged, phase, savedAt, refusal, isOvertaken } = editing;
  const kept = isKept && isChanged ? ` ${keptWords}` : '';
  if (phase === 'saving') return 'Saving…';
  if (phase === 'failing') return `Could not save, trying again.${kept}`;
  if (isOvertaken)
    return isChanged ? `Not saved: there is a newer version.${kept}` : 'There is a newer version.';
  if (refusal) return `Not saved: ${refusal.words}${kept}`;
  if (!stored)
    return isChanged ? `Not created yet.${kept}` : 'What your readers get, in one of three ways to write it';
  if (isChanged) return 'Changes will be saved in a moment';
  if (savedAt) return isNow ? 'Saved just now' : `Saved at ${formatTime(savedAt)}`;
  return `Saved ${formatWhen(stored.updatedAt)}${stored.updatedBy ? ` by ${stored.updatedBy}` : ''}`;
}

const minute = 60_000;

/** Whether a moment is less than a minute ago. */
function useNow(moment: Date | null): boolean {
  const [past, setPast] = useState<Date | null>(null);
  useEffect(() => {
    if (!moment) return;
    const timer = setTimeout(() => setPast(moment), minute);
    return () => clearTimeout(timer);
  }, [moment]);
  return moment !== null && past !== moment;
}
