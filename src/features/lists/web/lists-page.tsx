import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useCallback } from 'react';
import { pasteDialogOf } from '#features/memberships/web/index.ts';
import { TagsCard } from '#features/tags/web/index.ts';
import { queryOptionsFor } from '#platform/web/api.ts';
import { MayEditButton } from '#platform/web/components/may-edit-button.tsx';
import { Columns, Page } from '#platform/web/components/page.tsx';
import { useUrlState } from '#platform/web/url-state.ts';
import { getLists, type List } from '../contract.ts';
import { ContactLists } from './contact-lists.tsx';
import { listCalls } from './list-calls.ts';
import { ListDetails } from './list-details.tsx';
import { ListDialog } from './list-dialog.tsx';
import { listsSearch } from './lists-search.ts';
import { useRemoveList } from './use-remove-list.ts';

/** Lists are read again while a new one is being counted, but not for ever. */
const mostLooks = 20;
const isBeingCounted = ({ isDynamic, countedAt }: List): boolean => isDynamic && countedAt === null;

const why = 'Lists and tags need the editor role.';

const PasteDialog = pasteDialogOf(listCalls);

/** Lists of contacts, and the tags that contacts are marked with. */
export default function ListsPage() {
  const [state, change] = useUrlState(listsSearch);
  const lists = useQuery({
    ...queryOptionsFor(getLists),
    refetchInterval: ({ state }) =>
      state.dataUpdateCount < mostLooks && state.data?.some(isBeingCounted) ? 2000 : false,
  });
  const navigate = useNavigate();
  const remove = useRemoveList();
  const onView = useCallback((id: number) => change({ list: id }), [change]);
  const onEdit = useCallback((id: number) => change({ list: undefined, edit: id }), [change]);
  const edited = lists.data?.find(({ id }) => id === state.edit);
  return (
    <Page
      title="Lists"
      purpose="Whom to write to: lists of contacts, and tags that mark them."
      actions={
        <>
          <MayEditButton variant="default" why={why} onClick={() => change({ open: 'new-tag' })}>
            Create tag
          </MayEditButton>
          <MayEditButton
            variant="default"
            why={why}
            onClick={() => void navigate({ to: '/lists/$id/rules', params: { id: 'new' } })}
          >
            Create segment
          </MayEditButton>
          <MayEditButton why={why} onClick={() => change({ open: 'new-list' })}>
            Create list
          </MayEditButton>
        </>
      }
    >
      <Columns columns="minmax(0, 1fr) 300px">
        <ContactLists
          lists={lists}
          onNew={() => change({ open: 'new-list' })}
          onView={onView}
          onEdit={onEdit}
          onRemove={remove}
        />
        <TagsCard
          isNew={state.open === 'new-tag'}
          edited={state.tag}
          onNew={() => change({ open: 'new-tag' })}
          onEdit={(id) => change({ tag: id })}
          onClose={() => change({ open: '', tag: undefined })}
        />
      </Columns>
      <ListDialog
        asked={state.open === 'new-list' ? 'new' : (edited ?? null)}
        onClose={() => change({ open: '', edit: undefined })}
      />
      <ListDetails
        id={state.list}
        onClose={() => change({ list: undefined })}
        onEdit={onEdit}
        onPaste={(id) => change({ list: undefined, paste: id })}
        onRemove={(list) => {
          change({ list: undefined });
          remove(list);
        }}
      />
      <PasteDialog
        group={lists.data?.find(({ id }) => id === state.paste)}
        onClose={() => change({ paste: undefined })}
      />
    </Page>
  );
}
