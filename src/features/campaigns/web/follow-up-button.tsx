import { Button, Menu } from '@mantine/core';
import { IconChevronDown, IconMailForward } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import type { AudiencePart } from '../contract/audience-part.ts';
import type { Campaign } from '../contract.ts';
import { keyOf } from '../rules/part-key.ts';

interface FollowUpButtonProps {
  campaign: Campaign;
  onResend: () => void;
}

/**
 * Goes on from a campaign that is completed: the same once more to whoever did not open it, or a
 * new one to those who opened, clicked or got it, as far as that was counted.
 */
export function FollowUpButton({ campaign: { id, trackOpens, trackClicks }, onResend }: FollowUpButtonProps) {
  const navigate = useNavigate();
  const begin = (part: AudiencePart) =>
    void navigate({ to: '/campaigns', search: { dialog: 'new', to: keyOf(part) } as never });
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <Button
          leftSection={<IconMailForward size={16} stroke={1.6} />}
          rightSection={<IconChevronDown size={14} stroke={1.6} />}
        >
          Follow up
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {trackOpens && <Menu.Item onClick={onResend}>Resend to who did not open…</Menu.Item>}
        {trackOpens && (
          <Menu.Item onClick={() => begin({ opened: id })}>Campaign to those who opened…</Menu.Item>
        )}
        {trackClicks && (
          <Menu.Item onClick={() => begin({ clicked: id })}>Campaign to those who clicked…</Menu.Item>
        )}
        <Menu.Item onClick={() => begin({ sent: id })}>Campaign to everybody who got it…</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
