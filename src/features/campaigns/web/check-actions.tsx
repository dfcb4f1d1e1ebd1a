import { Button } from '@mantine/core';
import { IconSend } from '@tabler/icons-react';
import { LinkButton } from '#platform/web/components/links.tsx';
import { useMay } from '#platform/web/current-user.ts';
import { formatNumber } from '#platform/web/format.ts';
import type { CampaignCheck } from '../contract.ts';
import { TestButton } from './test-button.tsx';

interface Props {
  /** The campaign. */
  id: number;
  /** Absent while it is checked. */
  check: CampaignCheck | undefined;
  onSend: () => void;
}

/** What can be done with a campaign that was checked. */
export function CheckActions({ id, check, onSend }: Props) {
  const maySend = useMay('sender');
  return (
    <>
      <LinkButton to={`/campaigns/${id}/edit`} variant="default">
        Edit
      </LinkButton>
      <TestButton id={id} />
      {maySend && (
        <Button
          leftSection={<IconSend size={16} stroke={1.6} />}
          disabled={check?.canSend !== true}
          onClick={onSend}
        >
          {check ? `Send to ${formatNumber(check.recipients)}…` : 'Send…'}
        </Button>
      )}
    </>
  );
}
