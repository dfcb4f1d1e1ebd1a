import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { ConfirmDialog } from '#platform/web/components/dialogs.tsx';
import { overwrite } from './keep-view.ts';
import { NameDialog } from './name-dialog.tsx';
import type { Asking, ChangedView, ViewDialogProps } from './view-place.ts';

/**
 * What a screen asks about its views: a name and who may see them, or what to do about changes that
 * two people have made.
 */
export function ViewDialog({ asked, ...props }: ViewDialogProps) {
  const isChanged = asked !== null && typeof asked === 'object' && 'changed' in asked;
  return (
    <>
      <NameDialog {...props} asked={isChanged ? null : asked} />
      <ChangedDialog {...props} asked={isChanged ? asked : null} />
    </>
  );
}

/**
 * Somebody has changed the view since it was opened here. Nothing is lost unless this person says
 * so.
 */
function ChangedDialog({ place, asked, onAsk, onClose }: Asking<ChangedView>) {
  const queryClient = useQueryClient();
  /** What the dialog says while it fades out. */
  const [shown, setShown] = useState(asked);
  useEffect(() => {
    if (asked !== null) setShown(asked);
  }, [asked]);
  return (
    <ConfirmDialog
      opened={asked !== null}
      onClose={onClose}
      title="Changed meanwhile"
      confirmLabel="Overwrite"
      alternative={{ label: 'Save as a new view', onClick: () => onAsk('new') }}
      onConfirm={async () => asked && overwrite(queryClient, asked.changed, place)}
      failure="The view was not saved. Please try again."
    >
      <p>{shown?.words}</p>
      <p>Overwrite it with what you see, or keep both: save yours as a new view.</p>
    </ConfirmDialog>
  );
}
