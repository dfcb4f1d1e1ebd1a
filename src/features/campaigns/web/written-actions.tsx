import { Button } from '@mantine/core';
import { LinkButton } from '#platform/web/components/links.tsx';
import { useMay } from '#platform/web/current-user.ts';
import { TestButton } from './test-button.tsx';

/** What follows for a campaign that is written: a last look, and sending. */
export function WrittenActions({ id, onSend }: { id: number; onSend: () => void }) {
  const maySend = useMay('sender');
  return (
    <>
      <LinkButton to={`/campaigns/${id}/edit`} variant="default">
        Open editor
      </LinkButton>
      <TestButton id={id} />
      <LinkButton to={`/campaigns/${id}/check`} variant="default">
        Check
      </LinkButton>
      {maySend && <Button onClick={onSend}>Send</Button>}
    </>
  );
}
