import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { AsyncButton } from '#platform/web/components/async-button.tsx';
import { useMay } from '#platform/web/current-user.ts';
import { sameState } from '../rules.ts';
import { saveChanges } from './keep-view.ts';
import { mayChange } from './use-views.ts';
import type { ViewPartProps } from './view-place.ts';
import { useVersionSeen } from './view-version.ts';

/** The button that saves what the screen shows. Shown as long as that is not saved. */
export function ViewSave(props: ViewPartProps) {
  const queryClient = useQueryClient();
  const mayShare = useMay('editor');
  const { place, onAsk } = props;
  const { open, state } = place;
  useVersionSeen(place);
  if (open && sameState(open.state, state)) return null;
  if (open && mayChange(open, mayShare)) {
    return (
      <AsyncButton
        size="xs"
        variant="subtle"
        style={{ flex: 'none' }}
        onClick={() => saveChanges(queryClient, open, props)}
      >
        Save changes
      </AsyncButton>
    );
  }
  // Columns alone are personal and are stored without a view.
  if (!open && sameState({ ...state, columns: undefined }, {})) return null;
  return (
    <Button size="xs" variant="subtle" style={{ flex: 'none' }} onClick={() => onAsk('new')}>
      {open ? 'Save as a new view' : 'Save view'}
    </Button>
  );
}
