import { Button, Menu } from '@mantine/core';
import { IconKey, IconPlus } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call, queryOptionsFor } from '#platform/web/api.ts';
import { Card } from '#platform/web/components/card.tsx';
import { DataTable } from '#platform/web/components/data-table.tsx';
import { DateText } from '#platform/web/components/date-text.tsx';
import { ConfirmDialog } from '#platform/web/components/dialogs.tsx';
import { Mono } from '#platform/web/components/mono.tsx';
import { Page } from '#platform/web/components/page.tsx';
import { EmptyState, NoPermission } from '#platform/web/components/states.tsx';
import { StatusBadge } from '#platform/web/components/status-badge.tsx';
import { useMay } from '#platform/web/current-user.ts';
import { toastDone } from '#platform/web/toast.tsx';
import { useUrlState } from '#platform/web/url-state.ts';
import { type ApiKey, listApiKeys, revokeApiKey } from '../contract.ts';
import { keyLimit } from '../rules.ts';
import classes from './api-keys-page.module.css';
import { keysSearch } from './keys-search.ts';
import { NewKeyDialog } from './new-key-dialog.tsx';

const purpose = 'Keys with which your programs read and change this workspace.';

/** The workspace's keys, and how to use one. */
export default function ApiKeysPage() {
  if (!useMay('admin')) {
    return (
      <Page title="API Keys" purpose={purpose}>
        <NoPermission
          title="API keys need the admin role"
          description="Ask an owner or admin of this workspace for a key."
        />
      </Page>
    );
  }
  return <Keys />;
}

function Keys() {
  const [{ open }, change] = useUrlState(keysSearch);
  const [revoking, setRevoking] = useState<ApiKey | null>(null);
  const query = useQuery(queryOptionsFor(listApiKeys));
  const queryClient = useQueryClient();
  const refresh = () => queryClient.invalidateQueries({ queryKey: [listApiKeys.path] });
  const newKey = (
    <Button leftSection={<IconPlus size={16} stroke={1.6} />} onClick={() => change({ open: 'new' })}>
      New API key
    </Button>
  );
  return (
    <Page title="API Keys" purpose={purpose} actions={newKey}>
      <Card flush title="Keys">
        <DataTable<ApiKey, number>
          label="API keys"
          place="group"
          rows={query.data}
          state={query}
          rowKey={({ id }) => id}
          rowLabel={({ name }) => name}
          errorTitle="The API keys could not be loaded"
          expectedRows={3}
          empty={
            <EmptyState
              icon={IconKey}
              title="No API keys yet"
              description="A key lets a program of yours add contacts, verify addresses or keep the suppression list."
              action={newKey}
            />
          }
          rowMenu={(key) => (
            <Menu.Item data-danger onClick={() => setRevoking(key)}>
              Revoke
            </Menu.Item>
          )}
          columns={[
            { key: 'name', head: 'Name', tone: 'strong', cell: ({ name }) => name },
            { key: 'prefix', head: 'Key', width: 190, cell: ({ prefix }) => <Mono>{prefix}…</Mono> },
            { key: 'scopes', head: 'Scopes', tone: 'dim', cell: ({ scopes }) => scopes.join(', ') },
            { key: 'by', head: 'Made by', width: 140, tone: 'dim', cell: ({ createdBy }) => createdBy },
            {
              key: 'used',
              head: 'Last used',
              width: 100,
              numeric: true,
              tone: 'dim',
              cell: ({ lastUsedAt }) => (lastUsedAt === null ? 'Never' : <DateText value={lastUsedAt} />),
            },
            { key: 'ends', head: 'Runs out', width: 130, numeric: true, tone: 'dim', cell: RunsOut },
          ]}
          phone={(key) => ({
            title: key.name,
            aside: <RunsOut {...key} />,
            second: <Mono>{key.prefix}…</Mono>,
          })}
        />
      </Card>
      <Card title="How to use a key">
        <div className={classes.help}>
          <p>
            Send it with each call. A key may make {keyLimit.most} calls a minute; the answers say how many
            are left. <a href="/api/docs">All calls and their scopes</a>
          </p>
          <pre className={classes.code}>
            {`curl -H "Authorization: Bearer em_live_…" "${window.location.origin}/api/emails?limit=20"`}
          </pre>
          <p>
            With the header <Mono>Idempotency-Key</Mono>, a POST that is sent twice is done once.
          </p>
        </div>
      </Card>
      {open === 'new' && <NewKeyDialog onClose={() => change({ open: '' })} onMade={refresh} />}
      <ConfirmDialog
        opened={revoking !== null}
        onClose={() => setRevoking(null)}
        title={`Revoke ${revoking?.name ?? ''}`}
        confirmLabel="Revoke key"
        onConfirm={async () => {
          if (!revoking) return;
          await call(revokeApiKey, { params: { id: revoking.id } }).finally(refresh);
          toastDone({ title: 'API Key Revoked', message: `${revoking.name} opens nothing any more.` });
        }}
      >
        <p>Programs that use this key are refused from their next call on. It cannot be undone.</p>
      </ConfirmDialog>
    </Page>
  );
}

function RunsOut({ expiresAt, expired }: ApiKey) {
  if (expired) return <StatusBadge status="expired" tone="error" />;
  return expiresAt === null ? 'Never' : <DateText value={expiresAt} />;
}
