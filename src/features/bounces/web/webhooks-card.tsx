import { Menu } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { formatCount, formatNumber } from '#platform/shared/words.ts';
import { queryOptionsFor } from '#platform/web/api.ts';
import { Card } from '#platform/web/components/card.tsx';
import { DateText } from '#platform/web/components/date-text.tsx';
import { MayEditButton } from '#platform/web/components/may-edit-button.tsx';
import { RowMenu } from '#platform/web/components/row-menu.tsx';
import { ErrorLine } from '#platform/web/components/states.tsx';
import { StatusBadge } from '#platform/web/components/status-badge.tsx';
import { useMay } from '#platform/web/current-user.ts';
import { type BounceWebhook, listBounceWebhooks } from '../contract.ts';
import { aboutProviders } from '../rules/providers/providers.ts';
import { EndWebhookDialog, WebhookDialog } from './webhook-dialogs.tsx';
import classes from './webhooks.module.css';

type Asked = { what: 'set-up' | 'end'; webhook: BounceWebhook } | null;

/** The settings' card for email services that tell of bounces. */
export default function WebhooksCard() {
  const mayChange = useMay('admin');
  const { data, error } = useQuery({ ...queryOptionsFor(listBounceWebhooks), enabled: mayChange });
  const [asked, setAsked] = useState<Asked>(null);
  const close = () => setAsked(null);
  return (
    <Card
      title="Bounce webhooks"
      hint="If you send through one of these, let it tell of bounces and complaints"
    >
      {!mayChange && <p className={classes.dim}>Admins can see and change what email services may tell.</p>}
      {error && !data && <ErrorLine title="The email services could not be loaded." error={error} />}
      <ul className={classes.rows}>
        {data?.items.map((webhook) => (
          <WebhookRow key={webhook.provider} webhook={webhook} onAsk={setAsked} />
        ))}
      </ul>
      {asked?.what === 'set-up' && <WebhookDialog webhook={asked.webhook} onClose={close} />}
      {asked?.what === 'end' && <EndWebhookDialog webhook={asked.webhook} onClose={close} />}
    </Card>
  );
}

function WebhookRow({ webhook, onAsk }: { webhook: BounceWebhook; onAsk: (asked: Asked) => void }) {
  const { name, isOn } = webhook;
  return (
    <li className={classes.row}>
      <div>
        <div className={classes.head}>
          <span className={classes.name}>{name}</span>
          {isOn && <Standing webhook={webhook} />}
        </div>
        {webhook.lastCallAt !== null && <Figures webhook={webhook} lastCallAt={webhook.lastCallAt} />}
      </div>
      {isOn ? (
        <RowMenu label={name}>
          {() => (
            <>
              <Menu.Item onClick={() => onAsk({ what: 'set-up', webhook })}>Address and secret</Menu.Item>
              <Menu.Item data-danger onClick={() => onAsk({ what: 'end', webhook })}>
                Turn off
              </Menu.Item>
            </>
          )}
        </RowMenu>
      ) : (
        <MayEditButton
          takes="admin"
          why="Email services need the admin role."
          variant="default"
          size="xs"
          aria-label={`Set up ${name}`}
          onClick={() => onAsk({ what: 'set-up', webhook })}
        >
          Set up
        </MayEditButton>
      )}
    </li>
  );
}

function Standing({ webhook: { provider, hasSecret, lastCallAt } }: { webhook: BounceWebhook }) {
  const { secret } = aboutProviders[provider];
  if (secret?.isNeeded && !hasSecret)
    return (
      <StatusBadge status="incomplete" label={`Needs its ${secret.label.toLowerCase()}`} tone="warning" />
    );
  if (lastCallAt === null) return <StatusBadge status="waiting" label="Has not called yet" tone="neutral" />;
  return <StatusBadge status="on" label="On" tone="success" />;
}

function Figures({ webhook: { events, found }, lastCallAt }: { webhook: BounceWebhook; lastCallAt: string }) {
  return (
    <div className={classes.dim}>
      Last called <DateText value={lastCallAt} />.{' '}
      {formatCount(events, 'bounce or complaint', 'bounces and complaints')}
      {found < events && `, ${found === 0 ? 'none' : formatNumber(found)} about your messages`}
    </div>
  );
}
