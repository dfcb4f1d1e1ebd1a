import { Button } from '@mantine/core';
import { words } from '../api.ts';
import { useMovedElsewhere } from '../current-user.ts';
import { PassingNotes } from './passing-notes.tsx';
import { Note } from './states.tsx';

/** Says that the session has moved to another workspace, for as long as the page shows this one. */
export function MovedElsewhere() {
  const moved = useMovedElsewhere();
  if (!moved) return null;
  return (
    <PassingNotes>
      <Note
        tone="error"
        title="This page shows another workspace"
        action={
          <Button variant="default" size="xs" onClick={() => window.location.reload()}>
            Reload
          </Button>
        }
      >
        {words(moved)}
      </Note>
    </PassingNotes>
  );
}
