import { AsyncButton } from '#platform/web/components/async-button.tsx';
import { KeepsFocus } from '#platform/web/components/keeps-focus.tsx';
import { LeftOver } from '#platform/web/components/left-over.tsx';
import { MayEditButton } from '#platform/web/components/may-edit-button.tsx';
import { Note } from '#platform/web/components/states.tsx';
import { formatTime } from '#platform/web/format.ts';
import type { Found } from '#platform/web/use-kept-draft.ts';
import { needsEditor } from '../template-actions.ts';
import classes from './editor.module.css';
import type { KeptTemplate } from './kept-template.ts';
import type { Editing } from './use-editing.ts';
import type { Newer } from './use-newer.ts';

/** Why it was not saved, and what can be done about it. */
export function Refused({ editing, newer }: { editing: Editing; newer: Newer }) {
  const { refusal, isOvertaken } = editing;
  if (newer.isDeleted) return <Deleted newer={newer} />;
  if (isOvertaken) return <Overtaken editing={editing} newer={newer} />;
  if (!refusal?.isTold) return null;
  return (
    <Note tone="error" title="This was not saved">
      {refusal.words}
    </Note>
  );
}

const Deleted = ({ newer }: { newer: Newer }) => (
  <Note
    tone="warning"
    title="This template was deleted"
    action={
      <MayEditButton size="xs" variant="default" why={needsEditor} onClick={newer.bringBack}>
        Bring it back
      </MayEditButton>
    }
  >
    Nothing that you write is saved until it is back.
  </Note>
);

/** Somebody else has saved. Both ways on are the person's own choice. */
function Overtaken({ editing, newer }: { editing: Editing; newer: Newer }) {
  const { isChanged, refusal, saver } = editing;
  const { latest } = newer;
  const isYours = latest?.isYours ?? false;
  const title = latest
    ? `${isYours ? 'You' : (latest.savedBy ?? 'Somebody')} saved a newer version ${isYours ? 'in another window ' : ''}at ${formatTime(new Date(latest.savedAt))}`
    : 'This was not saved';
  return (
    <KeepsFocus>
      <Note
        tone="warning"
        title={title}
        action={
          <div className={classes.choices}>
            <AsyncButton size="xs" variant="default" onClick={newer.take}>
              {isYours ? 'Take the newer one' : 'Take theirs'}
            </AsyncButton>
            {isChanged && (
              <MayEditButton
                size="xs"
                variant="default"
                why={needsEditor}
                onClick={() => saver.save('asked', true)}
              >
                Save mine over it
              </MayEditButton>
            )}
          </div>
        }
      >
        {latest === null && refusal?.words}{' '}
        {isChanged
          ? 'What you have written is not saved, and gone once you take the newer version. That one stays among the versions if you save yours over it.'
          : 'Take it to go on from there.'}
      </Note>
    </KeepsFocus>
  );
}

interface NeverSavedProps {
  found: Found<KeptTemplate>;
  editing: Editing;
  onRestore: () => void;
  onDiscard: () => void;
}

/** What was written here once and never saved. */
export function NeverSaved({ found: { at, content }, editing, onRestore, onDiscard }: NeverSavedProps) {
  const { saver, stored } = editing;
  const { draft, version } = content;
  const resume = () => {
    onRestore();
    saver.resume(draft, version);
  };
  return (
    <LeftOver
      at={at}
      isOld={stored !== null && version !== null && version < stored.version}
      onRestore={resume}
      onDiscard={onDiscard}
    >
      {stored === null && draft.name !== '' && `They are of “${draft.name}”, which was not created. `}
    </LeftOver>
  );
}
