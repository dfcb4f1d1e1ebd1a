import { IconWorldCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { queryOptionsFor } from '#platform/web/api.ts';
import { ListPage, type ListWords } from '#platform/web/components/list-page.tsx';
import { MayEditButton } from '#platform/web/components/may-edit-button.tsx';
import { useUrlState } from '#platform/web/url-state.ts';
import { listSenderDomains } from '../contract.ts';
import { AddDomainDialog } from './add-domain-dialog.tsx';
import { domainColumns, domainOnPhone } from './domain-columns.tsx';
import { domainPath } from './paths.ts';
import { sendersSearch } from './senders-search.ts';

/** The domains that this workspace sends from. */
export default function SenderDomainsPage() {
  const [{ open }, change] = useUrlState(sendersSearch);
  const query = useQuery(queryOptionsFor(listSenderDomains));
  const navigate = useNavigate();
  const show = (id: number) => void navigate({ to: domainPath, params: { id: String(id) } });
  const addDomain = (
    <MayEditButton
      takes="admin"
      why="Sender domains need the admin role."
      onClick={() => change({ open: 'new' })}
    >
      Add domain
    </MayEditButton>
  );
  const words: ListWords = {
    label: 'Sender domains',
    errorTitle: 'The sender domains could not be loaded',
    empty: {
      icon: IconWorldCheck,
      title: 'No sender domains yet',
      description: 'Add the domain of your From address. Receivers then see that your mail is really yours.',
      action: addDomain,
    },
  };
  return (
    <ListPage
      title="Sender domains"
      parent={{ label: 'Settings', to: '/settings' }}
      purpose="The domains you send from, and what their DNS says."
      actions={addDomain}
      list={{ rows: query.data?.items, state: query }}
      words={words}
      columns={domainColumns}
      phone={domainOnPhone}
      rowKey={({ id }) => id}
      rowLabel={({ domain }) => domain}
      onOpen={({ id }) => show(id)}
      expectedRows={2}
    >
      {open === 'new' && <AddDomainDialog onClose={() => change({ open: '' })} onAdded={show} />}
    </ListPage>
  );
}
