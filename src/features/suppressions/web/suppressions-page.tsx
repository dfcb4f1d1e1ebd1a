import { useQuery } from '@tanstack/react-query';
import { statsOptions } from '#features/audience/web/index.ts';
import { TextLink } from '#platform/web/components/links.tsx';
import { ListFilters } from '#platform/web/components/list-filters.tsx';
import { Page } from '#platform/web/components/page.tsx';
import { TableFooter } from '#platform/web/components/table-footer.tsx';
import { useMay } from '#platform/web/current-user.ts';
import { formatCount } from '#platform/web/format.ts';
import { AddEntry } from './add-entry.tsx';
import { sumOf } from './counts.ts';
import { Entries } from './entries.tsx';
import { ImportListDialog } from './import-list-dialog.tsx';
import { ListActions } from './list-menu.tsx';
import { ListTabs } from './list-tabs.tsx';
import classes from './suppressions-page.module.css';
import { pageSizes } from './suppressions-search.ts';
import { useSuppressionList } from './use-suppression-list.ts';
import { reasonLabels, reasonsOn } from './words.ts';

/** How many contacts the entries are about: far fewer or far more than there are entries. */
function SuppressedContacts() {
  const suppressed = useQuery(statsOptions).data?.suppressedEmails;
  if (suppressed === undefined) return null;
  return (
    <>
      {'Both lists together keep '}
      <TextLink to="/email-database" search={{ status: 'suppressed' }}>
        {formatCount(suppressed, 'contact')}
      </TextLink>
      {' from being mailed. '}
    </>
  );
}

/** Whom not to mail: single addresses, and whole domains. */
export default function SuppressionsPage() {
  const list = useSuppressionList();
  const { state, change, query, summary } = list;
  const { tab } = state;
  const mayEdit = useMay('editor');
  const hashes = summary ? sumOf(summary.hashes) : 0;
  return (
    <Page
      title="Suppressions"
      purpose="Who is never mailed, whatever list they are in."
      actions={<ListActions tab={tab} mayEdit={mayEdit} onImport={() => change({ dialog: 'import' })} />}
    >
      <ListTabs list={list} />
      <div className={classes.bar}>
        <ListFilters
          key={tab}
          state={state}
          change={change}
          search={{
            field: 'search',
            placeholder: tab === 'emails' ? 'Search addresses' : 'Search domains',
          }}
          fields={[
            {
              key: 'reason',
              label: 'Reason',
              options: reasonsOn[tab].map((value) => ({ value, label: reasonLabels[value] })),
            },
          ]}
        />
        {mayEdit && (
          <AddEntry
            key={`add-${tab}`}
            tab={tab}
            onAdded={() => change({ page: 1, search: '', reason: undefined })}
          />
        )}
      </div>
      <p className={classes.beside}>
        <SuppressedContacts />
        {hashes > 0 &&
          tab === 'emails' &&
          `Imported lists hold ${formatCount(hashes, 'hash', 'hashes')} of addresses too. Whoever has one of these is kept out of every import, and stands in this list once found.`}
      </p>
      <Entries key={`list-${tab}`} list={list} mayEdit={mayEdit} />
      <TableFooter
        page={state.page}
        pageSize={state.size}
        total={query.data?.totalCount}
        isEstimate={query.data?.totalIsEstimate ?? false}
        onPage={(page) => change({ page })}
        pageSizes={pageSizes}
        onPageSize={(size) => change({ size: size as (typeof pageSizes)[number], page: 1 })}
      />
      {mayEdit && (
        <ImportListDialog
          opened={state.dialog === 'import'}
          listId={state.list}
          onClose={() => change({ dialog: undefined, list: undefined })}
        />
      )}
    </Page>
  );
}
