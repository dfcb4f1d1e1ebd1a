import { useCallback, useEffect } from 'react';
import type { Contact } from '#features/contacts/contract.ts';
import { Page } from '#platform/web/components/page.tsx';
import { SelectionBar } from '#platform/web/components/selection-bar.tsx';
import { TableFooter } from '#platform/web/components/table-footer.tsx';
import { useSelection } from '#platform/web/components/use-selection.ts';
import { formatAbout, formatNumber } from '#platform/web/format.ts';
import { unfiltered } from './contact-filters.tsx';
import { ContactMenu } from './contact-menu.tsx';
import { ContactTable, isFiltered } from './contact-table.tsx';
import { ContactToolbar } from './contact-toolbar.tsx';
import { pageSizes } from './email-database-search.ts';
import { PageActions } from './page-actions.tsx';
import { ContactPanel } from './panel/contact-panel.tsx';
import { UkViewCard } from './uk-view-card.tsx';
import { UnreadAddress, useUnreadFilters } from './unread-address.tsx';
import { type ContactList, useContactList } from './use-contact-list.ts';
import { useContactViews } from './use-contact-views.ts';
import { useListActions } from './use-list-actions.tsx';
import { type ListTotal, useListTotal } from './use-list-total.ts';

/** The contacts, unless the address asks for something that this version cannot read. */
export default function EmailDatabasePage() {
  const unread = useUnreadFilters();
  return unread.length > 0 ? <UnreadAddress names={unread} /> : <Contacts />;
}

/** Every address of the workspace: to find, read, add, suppress, export and remove. */
function Contacts() {
  const list = useContactList();
  const { state, change, filter } = list;
  const selection = useSelection<number>();
  const { clear } = selection;
  useEffect(() => {
    if (filter) clear();
  }, [filter, clear]);
  const closePanel = useCallback(() => change({ open: undefined }), [change]);
  const { forAll, forChosen, forOne, dialogs } = useListActions(list, selection, closePanel);
  const total = useListTotal(list, selection.keys.size > 0 || selection.everything);
  const views = useContactViews(list);
  const rowMenu = (contact: Contact) => <ContactMenu contact={contact} {...forOne} />;
  return (
    <Page
      title="Email Database"
      purpose="Every address you hold, and what is known about it."
      hideActionsOnPhone
      actions={<PageActions {...forAll} />}
    >
      <ContactToolbar list={list} views={views} forAll={forAll} forChosen={forChosen} />
      {!list.isDeciding && (
        <>
          {!isFiltered(filter) && <UkViewCard onChoose={(uk) => change({ ...unfiltered, uk })} />}
          <ContactTable
            list={list}
            keys={views.keys}
            selection={selection}
            rowMenu={rowMenu}
            onAdd={forAll.onAdd}
          />
        </>
      )}
      <SelectionBar
        selection={selection}
        actions={forChosen}
        {...(total.exact === undefined ? {} : { total: total.exact })}
      />
      <TableFooter
        page={state.page}
        pageSize={state.size}
        total={total.shown}
        isEstimate={total.isEstimate}
        isCounting={total.isCounting}
        {...(total.estimate === undefined ? {} : { roomFor: total.estimate })}
        onPage={(page) => change({ page })}
        pageSizes={pageSizes}
        onPageSize={(size) => change({ size: size as (typeof pageSizes)[number], page: 1 })}
      />
      <ContactPanel
        id={state.open}
        fromTable={list.rows?.[list.index]}
        position={positionIn(list, total)}
        onPrevious={list.onPrevious}
        onNext={list.onNext}
        onClose={closePanel}
        {...forOne}
        menu={rowMenu}
      />
      {dialogs}
    </Page>
  );
}

/** "7 of 1,204,331". */
function positionIn({ state, index }: ContactList, total: ListTotal): string | undefined {
  if (index < 0 || total.shown === undefined) return undefined;
  const at = (state.page - 1) * state.size + index + 1;
  return `${formatNumber(at)} of ${total.isEstimate ? formatAbout(total.shown) : formatNumber(total.shown)}`;
}
