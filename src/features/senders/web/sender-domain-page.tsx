import { Menu } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { queryOptionsFor } from '#platform/web/api.ts';
import { Card } from '#platform/web/components/card.tsx';
import { Columns, Page } from '#platform/web/components/page.tsx';
import { RowMenu } from '#platform/web/components/row-menu.tsx';
import { ErrorState } from '#platform/web/components/states.tsx';
import { useMay } from '#platform/web/current-user.ts';
import { formatFullDate } from '#platform/web/format.ts';
import { getSenderDomain, type SenderDomain } from '../contract.ts';
import { CheckButton } from './check-button.tsx';
import { ChecksCard, KeysCard, RequirementsCard } from './domain-cards.tsx';
import { RemoveDomainDialog, RotateKeyDialog } from './domain-dialogs.tsx';
import { DomainState } from './marks.tsx';
import { domainsPath } from './paths.ts';
import { RecordsCard } from './records-card.tsx';
import classes from './senders.module.css';

const parent = { label: 'Sender domains', to: domainsPath };

/** One sender domain: the records to publish, and what DNS says. */
export default function SenderDomainPage() {
  const { id = '' } = useParams({ strict: false }) as { id?: string };
  const query = useQuery(queryOptionsFor(getSenderDomain, { params: { id: Number(id) } }));
  if (query.data) return <Domain data={query.data} />;
  return (
    <Page title="Sender domain" parent={parent}>
      <Card>
        {query.error ? (
          <ErrorState title="The sender domain could not be loaded" error={query.error} />
        ) : (
          <p className={classes.dim} aria-busy>
            Loading...
          </p>
        )}
      </Card>
    </Page>
  );
}

function Domain({ data }: { data: SenderDomain }) {
  const [asking, setAsking] = useState<'rotate' | 'remove' | null>(null);
  const mayChange = useMay('admin');
  const { domain, checkedAt } = data;
  return (
    <Page
      title={domain}
      parent={parent}
      purpose={
        <span className={classes.purpose}>
          <DomainState state={data.state} />
          <span className={classes.dim}>
            {checkedAt === null ? 'DNS has not been read yet.' : `DNS was read ${formatFullDate(checkedAt)}.`}
          </span>
        </span>
      }
      actions={
        <>
          {mayChange && (
            <RowMenu label={`Actions for ${domain}`}>
              {() => (
                <>
                  <Menu.Item onClick={() => setAsking('rotate')}>New DKIM key</Menu.Item>
                  <Menu.Item data-danger onClick={() => setAsking('remove')}>
                    Remove domain
                  </Menu.Item>
                </>
              )}
            </RowMenu>
          )}
          <CheckButton id={data.id} />
        </>
      }
    >
      <RecordsCard data={data} />
      <Columns columns="minmax(0, 1fr) minmax(0, 1fr)">
        <ChecksCard data={data} />
        <div className={classes.stack}>
          <RequirementsCard data={data} />
          <KeysCard data={data} />
        </div>
      </Columns>
      <RotateKeyDialog data={data} opened={asking === 'rotate'} onClose={() => setAsking(null)} />
      <RemoveDomainDialog data={data} opened={asking === 'remove'} onClose={() => setAsking(null)} />
    </Page>
  );
}
