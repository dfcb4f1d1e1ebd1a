import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { queryOptionsFor } from '#platform/web/api.ts';
import { Card } from '#platform/web/components/card.tsx';
import { MayEditButton } from '#platform/web/components/may-edit-button.tsx';
import { ErrorLine } from '#platform/web/components/states.tsx';
import { useMay } from '#platform/web/current-user.ts';
import { listSmtpServers } from '../contract.ts';
import { RemoveServerDialog } from './remove-server-dialog.tsx';
import { ServerDialog } from './server-dialog.tsx';
import { type Asked, ServerRow } from './server-row.tsx';
import classes from './servers.module.css';

/** The settings' card for a workspace's own mail servers. */
export default function ServersCard() {
  const mayChange = useMay('admin');
  const { data, error } = useQuery({ ...queryOptionsFor(listSmtpServers), enabled: mayChange });
  const [asked, setAsked] = useState<Asked | null>(null);
  const close = () => setAsked(null);
  const items = data?.items ?? [];
  return (
    <Card
      title="SMTP servers"
      hint="Send through mail servers of your own"
      action={
        <MayEditButton
          takes="admin"
          why="SMTP servers need the admin role."
          variant="default"
          size="xs"
          flex="none"
          onClick={() => setAsked({ what: 'edit', server: null })}
        >
          Add server
        </MayEditButton>
      }
    >
      {!mayChange && <p className={classes.dim}>Admins can see and change the SMTP servers.</p>}
      {error && !data && <ErrorLine title="The SMTP servers could not be loaded." error={error} />}
      {data && (
        <p className={classes.dim}>
          {items.length === 0
            ? 'None yet. Messages leave as this installation is set up to send them.'
            : 'Messages leave through the servers that are on, in proportion to their weights. A server ' +
              'that cannot be reached is passed over for a while, and one whose limit is reached takes no ' +
              'more for now. A fallback is used only while none of ' +
              'the others can be.'}
        </p>
      )}
      <ul className={classes.rows}>
        {items.map((server) => (
          <ServerRow key={server.id} server={server} all={items} onAsk={setAsked} />
        ))}
      </ul>
      {asked?.what === 'edit' && <ServerDialog edited={asked.server} onClose={close} />}
      {asked?.what === 'remove' && (
        <RemoveServerDialog server={asked.server} isLast={items.length === 1} onClose={close} />
      )}
    </Card>
  );
}
