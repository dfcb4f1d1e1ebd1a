import { Button, Menu } from '@mantine/core';
import { IconKey, IconPlus } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { queryOptionsFor } from '#platform/web/api.ts';
import { ListPage, type ListWords } from '#platform/web/components/list-page.tsx';
import { Page } from '#platform/web/components/page.tsx';
import { NoPermission } from '#platform/web/components/states.tsx';
import { useMay } from '#platform/web/current-user.ts';
import { useUrlState } from '#platform/web/url-state.ts';
import { type ApiKey, listApiKeys } from '../contract.ts';
import { keyColumns, keyOnPhone } from './key-columns.tsx';
import { KeyHelp } from './key-help.tsx';
import { keysSearch } from './keys-search.ts';
import { NewKeyDialog } from './new-key-dialog.tsx';
import { RevokeDialog } from './revoke-dialog.tsx';
import { TakeOverDialog } from './take-over-dialog.tsx';

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
  const [taking, setTaking] = useState<ApiKey | null>(null);
  const query = useQuery(queryOptionsFor(listApiKeys));
  const queryClient = useQueryClient();
  const refresh = () => queryClient.invalidateQueries({ queryKey: [listApiKeys.path] });
  const newKey = (
    <Button leftSection={<IconPlus size={16} stroke={1.6} />} onClick={() => change({ open: 'new' })}>
      New API key
    </Button>
  );
  const words: ListWords = {
    label: 'API keys',
    errorTitle: 'The API keys could not be loaded',
    empty: {
      icon: IconKey,
      title: 'No API keys yet',
      description:
        'A key lets a program of yours add contacts, verify addresses or keep the suppression list.',
      action: newKey,
    },
  };
  return (
    <ListPage
      title="API Keys"
      purpose={purpose}
      actions={newKey}
      card={{ title: 'Keys' }}
      list={{ rows: query.data, state: query }}
      words={words}
      columns={keyColumns}
      phone={keyOnPhone}
      rowKey={({ id }) => id}
      rowLabel={({ name }) => name}
      expectedRows={3}
      rowMenu={(key) => (
        <>
          {!key.holder.isYou && <Menu.Item onClick={() => setTaking(key)}>Take over</Menu.Item>}
          <Menu.Item data-danger onClick={() => setRevoking(key)}>
            Revoke
          </Menu.Item>
        </>
      )}
    >
      <KeyHelp />
      {open === 'new' && <NewKeyDialog onClose={() => change({ open: '' })} onMade={refresh} />}
      <TakeOverDialog apiKey={taking} onClose={() => setTaking(null)} onTaken={refresh} />
      <RevokeDialog apiKey={revoking} onClose={() => setRevoking(null)} onRevoked={refresh} />
    </ListPage>
  );
}
