import { AsyncButton } from '#platform/web/components/async-button.tsx';
import { KeepsFocus } from '#platform/web/components/keeps-focus.tsx';
import { MayEditButton } from '#platform/web/components/may-edit-button.tsx';
import { Note } from '#platform/web/components/states.tsx';
import { formatLondonTime, formatTime, formatWhen } from '#platform/web/format.ts';
import { keptWords } from '#platform/web/use-kept-draft.ts';
import { scheduledNeedsSender } from '../../rules/changing.ts';
import { useMayChange } from '../use-may-change.ts';
import classes from './editor.module.css';
import type { Editing } from './use-campaign-draft.ts';

interface SaveWordsProps {
  editing: Editing;
  /** What is not saved is kept in this browser. */
  isKept: boolean;
}

/** Whether what is written is safe. Read out only where it is not. */
export function SaveWords({ editing, isKept }: SaveWordsProps) {
  const { phase, isChanged, isOvertaken, refusal, isScheduledSince, stored } = editing;
  const { mayChange, why } = useMayChange(stored.status);
  const isCalm = phase !== 'failing' && !refusal && !isOvertaken && !(isChanged && isScheduledSince);
  const problem = isChanged ? unsavedWords(editing, mayChange ? null : why) : null;
  return (
    <span role="status" className={classes.state} aria-live={isCalm ? 'off' : 'polite'}>
      {problem === null ? wordsOf(editing) : `${problem}${isKept ? ` ${keptWords}` : ''}`}
    </span>
  );
}

/** Why what is written is not saved, and will not be in a moment. Null: it will. */
function unsavedWords(
  { phase, refusal, isOvertaken, stored: { status, sendAt } }: Editing,
  whyNot: string | null,
): string | null {
  if (whyNot !== null) return `Not saved. ${whyNot}`;
  if (phase === 'saving') return null;
  if (isOvertaken) return 'Not saved: somebody else has changed it.';
  if (phase === 'failing')
    return status === 'draft' ? 'Could not save, trying again.' : 'Could not save. Save it again.';
  // What that means is said by its status.
  if (refusal && refusal.code !== 'campaign_scheduled') return `Not saved: ${refusal.words}`;
  if (status === 'draft') return null;
  return status === 'scheduled'
    ? `Not saved yet. ${leavesWords(sendAt)}`
    : 'Not saved: it was sent meanwhile.';
}

function wordsOf({ phase, isChanged, savedAt, stored }: Editing): string {
  if (phase === 'saving') return 'Saving…';
  if (isChanged) return 'Changes will be saved in a moment';
  return savedAt ? `Saved at ${formatTime(savedAt)}` : `Saved ${formatWhen(stored.updatedAt)}`;
}

/** When it leaves, as far as that is known here. */
const leavesWords = (sendAt: string | null): string =>
  `It leaves ${sendAt === null ? '' : `on ${formatLondonTime(sendAt)} `}as it was saved.`;

/** Somebody has scheduled what was a draft when it was opened here. */
export const ScheduledSince = ({ sendAt }: { sendAt: string | null }) => (
  <Note tone="warning" title="This campaign was scheduled meanwhile">
    {leavesWords(sendAt)} What you write from now on is saved only when you press Save Campaign.
  </Note>
);

/** It leaves at a time, and whoever writes here may not send. */
export const NeedsSender = ({ editing: { lookAgain } }: { editing: Editing }) => (
  <KeepsFocus>
    <Note
      tone="warning"
      title="Nothing here can be saved now"
      action={
        <AsyncButton size="xs" variant="default" onClick={lookAgain}>
          Look again
        </AsyncButton>
      }
    >
      {scheduledNeedsSender}
    </Note>
  </KeepsFocus>
);

/** Two people have changed it. One of them decides. */
export function Overtaken({ editing: { saver, stored, takeStored } }: { editing: Editing }) {
  const { takes, why } = useMayChange(stored.status);
  return (
    <KeepsFocus>
      <Note
        tone="warning"
        title="Somebody else has changed this campaign"
        action={
          <div className={classes.ways}>
            <AsyncButton size="xs" variant="default" onClick={takeStored}>
              Take theirs
            </AsyncButton>
            <MayEditButton
              size="xs"
              variant="default"
              {...{ takes, why }}
              onClick={() => saver.save('asked', true)}
            >
              Save yours over it
            </MayEditButton>
          </div>
        }
      >
        Nothing of yours is saved until you decide.
      </Note>
    </KeepsFocus>
  );
}
