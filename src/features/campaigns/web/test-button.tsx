import { useState } from 'react';
import { MayEditButton } from '#platform/web/components/may-edit-button.tsx';
import { TestDialog } from './test-dialog.tsx';

interface Props {
  id: number;
  /** Saves what is written. A test is of what is stored. */
  before?: () => Promise<boolean>;
}

/** Sends a campaign to people of the workspace before anybody else gets it. */
export function TestButton({ id, before }: Props) {
  const [asks, setAsks] = useState(false);
  const open = async () => {
    if (!before || (await before())) setAsks(true);
  };
  return (
    <>
      <MayEditButton variant="default" why="Tests need the editor role." onClick={open}>
        Send test
      </MayEditButton>
      {asks && <TestDialog id={id} onClose={() => setAsks(false)} />}
    </>
  );
}
