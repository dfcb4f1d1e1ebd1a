import { useState } from 'react';
import { type AskedView, ViewDialog, ViewMenu, ViewSave } from '#features/views/web/index.ts';
import { Toolbar } from '#platform/web/components/page.tsx';
import { SearchField } from '#platform/web/components/search-field.tsx';
import type { BulkAction } from '#platform/web/components/selection-bar.tsx';
import { usePhone } from '#platform/web/components/use-phone.ts';
import { BinLink, BulkMenu } from './bulk-menu.tsx';
import { CampaignItem } from './campaign-item.tsx';
import { ColumnChooser } from './column-chooser.tsx';
import { ContactFilters } from './contact-filters.tsx';
import { type PageActionsProps, PhoneActions } from './page-actions.tsx';
import { SegmentItem } from './segment-item.tsx';
import type { ContactList } from './use-contact-list.ts';
import type { ContactViews } from './use-contact-views.ts';

interface ContactToolbarProps {
  list: ContactList;
  views: ContactViews;
  forAll: PageActionsProps;
  forChosen: readonly BulkAction[];
}

/**
 * The row above the contacts: the search, the views with the filters, the columns, and the actions.
 */
export function ContactToolbar({ list, views, forAll, forChosen }: ContactToolbarProps) {
  const { state, change, isDeciding } = list;
  const phone = usePhone();
  const [askedView, setAskedView] = useState<AskedView | null>(null);
  const place = { ...views.place, more: <MoreItems filter={list.filter} /> };
  const aboutViews = { place, onAsk: setAskedView };
  return (
    <>
      <Toolbar
        search={
          <SearchField
            slash
            placeholder="Search addresses"
            value={state.search}
            onSearch={(search) => change({ search, page: 1 }, { replace: true })}
          />
        }
        phoneAction={<PhoneActions actions={forChosen} {...forAll} />}
      >
        {!isDeciding && (
          <ContactFilters
            state={state}
            change={change}
            lead={<ViewMenu {...aboutViews} />}
            trail={<ViewSave {...aboutViews} />}
          />
        )}
        {!phone && (
          <div style={{ display: 'flex', flex: 'none', marginLeft: 'auto' }}>
            <ColumnChooser {...views.columns} />
            <BulkMenu actions={forChosen} />
            <BinLink />
          </div>
        )}
      </Toolbar>
      <ViewDialog {...aboutViews} asked={askedView} onClose={() => setAskedView(null)} />
    </>
  );
}

/** What else can be done with whom the filters mean. */
const MoreItems = ({ filter }: { filter: ContactList['filter'] }) => (
  <>
    <SegmentItem filter={filter} />
    <CampaignItem filter={filter} />
  </>
);
