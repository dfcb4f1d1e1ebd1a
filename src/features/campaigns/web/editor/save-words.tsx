import { AsyncButton } from '#platform/web/components/async-button.tsx';
import { TextButton } from '#platform/web/components/links.tsx';
import { Note } from '#platform/web/components/states.tsx';
import { formatLondonTime, formatTime, formatWhen } from '#platform/web/format.ts';
import type { Campaign } from '../../contract.ts';
import type { Editing } from './use-campaign-draft.ts';

/** Whether what is written is safe. Read out only where it is not. */
export function SaveWords({ editing, campaign }: { editing: Editing; campaign: Campaign }) {
  const isCalm = editing.phase === 'resting' || editing.phase === 'saving';
  return (
    <span role="status" aria-live={isCalm ? 'off' : 'polite'}>
      {wordsOf(editing, campaign)}
    </span>
  );
}

function wordsOf({ phase, refusal, isChanged, savedAt }: Editing, campaign: Campaign): string {
  if (phase === 'saving') return 'Saving…';
  if (phase === 'overtaken') return 'Not saved: somebody else has changed it.';
  if (isChanged && phase === 'failing') return 'Could not save, trying again.';
  if (isChanged && refusal !== null) return `Not saved: ${refusal}`;
  const { status, sendAt, updatedAt } = campaign;
  if (isChanged)
    return status === 'scheduled'
      ? `Not saved yet. It leaves on ${formatLondonTime(sendAt ?? '')} as it was saved.`
      : 'Changes will be saved in a moment';
  return savedAt ? `Saved at ${formatTime(savedAt)}` : `Saved ${formatWhen(updatedAt)}`;
}

/** Two people have changed it. One of them decides. */
export const Overtaken = ({ editing: { save, takeStored } }: { editing: Editing }) => (
  <Note
    tone="warning"
    title="Somebody else has changed this campaign"
    action={
      <>
        <AsyncButton size="xs" variant="default" onClick={takeStored}>
          Take theirs
        </AsyncButton>{' '}
        <TextButton onClick={() => void save(true)}>Save yours over it</TextButton>
      </>
    }
  >
    Nothing of yours is saved until you decide.
  </Note>
);
