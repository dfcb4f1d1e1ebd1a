import { Menu } from '@mantine/core';
import {
  IconArchive,
  IconCopy,
  IconLayout,
  IconMailForward,
  IconPencil,
  IconPlayerPause,
  IconPlayerPlay,
  IconTrash,
  IconX,
} from '@tabler/icons-react';
import { useMay } from '#platform/web/current-user.ts';
import type { Campaign } from '../contract.ts';
import { useCampaignSteps, useOpenEditor } from './use-campaign-steps.ts';
import { useMayChange } from './use-may-change.ts';

const icon = { size: 16, stroke: 1.6 } as const;

interface Props {
  campaign: Campaign;
  onEdit: () => void;
  onResend: () => void;
}

/** What can be done with a campaign where it stands. */
export function CampaignMenu({ campaign, onEdit, onResend }: Props) {
  const steps = useCampaignSteps();
  const mayEdit = useMay('editor');
  const maySend = useMay('sender');
  const { status, archivedAt, template, sentAt, trackOpens } = campaign;
  const { mayChange } = useMayChange(status);
  const openEditor = useOpenEditor();
  const isWritten = status === 'draft' || status === 'scheduled';
  if (!mayEdit) return <Menu.Label>Changes need the editor role</Menu.Label>;
  return (
    <>
      {isWritten && mayChange && template !== 'custom' && (
        <Menu.Item leftSection={<IconPencil {...icon} />} onClick={onEdit}>
          Edit
        </Menu.Item>
      )}
      {isWritten && (
        <Menu.Item leftSection={<IconLayout {...icon} />} onClick={() => openEditor(campaign.id)}>
          Open in editor
        </Menu.Item>
      )}
      {maySend && status === 'sending' && (
        <Menu.Item leftSection={<IconPlayerPause {...icon} />} onClick={() => steps.pause(campaign)}>
          Pause
        </Menu.Item>
      )}
      {maySend && status === 'paused' && (
        <Menu.Item leftSection={<IconPlayerPlay {...icon} />} onClick={() => steps.resume(campaign)}>
          Resume
        </Menu.Item>
      )}
      <Menu.Item leftSection={<IconCopy {...icon} />} onClick={() => steps.duplicate(campaign)}>
        Duplicate
      </Menu.Item>
      {sentAt !== null && trackOpens && (
        <Menu.Item leftSection={<IconMailForward {...icon} />} onClick={onResend}>
          Resend to who did not open
        </Menu.Item>
      )}
      {(status !== 'scheduled' || archivedAt !== null) && (
        <Menu.Item leftSection={<IconArchive {...icon} />} onClick={() => steps.archive(campaign)}>
          {archivedAt === null ? 'Archive' : 'Take out of the archive'}
        </Menu.Item>
      )}
      {maySend && ['scheduled', 'sending', 'paused'].includes(status) && (
        <Menu.Item leftSection={<IconX {...icon} />} data-danger onClick={() => steps.cancel(campaign)}>
          {status === 'scheduled' ? 'Take the schedule back' : 'Cancel'}
        </Menu.Item>
      )}
      {status === 'draft' && (
        <Menu.Item leftSection={<IconTrash {...icon} />} data-danger onClick={() => steps.remove(campaign)}>
          Delete
        </Menu.Item>
      )}
    </>
  );
}
