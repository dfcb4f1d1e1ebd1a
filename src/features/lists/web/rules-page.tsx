import { useQuery } from '@tanstack/react-query';
import { useLocation, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { queryOptionsFor } from '#platform/web/api.ts';
import { Card } from '#platform/web/components/card.tsx';
import { LinkButton } from '#platform/web/components/links.tsx';
import { Page } from '#platform/web/components/page.tsx';
import { ErrorState, Note } from '#platform/web/components/states.tsx';
import { getList } from '../contract.ts';
import { RulesForm } from './rules-form.tsx';
import { startIn } from './segment-start.ts';

const parent = { label: 'Lists', to: '/lists' };

/** The rules of a list that fills itself: `/lists/4/rules`, or `/lists/new/rules`. */
export default function RulesPage() {
  const { id = '' } = useParams({ strict: false }) as { id?: string };
  const start = useLocation({ select: ({ state }) => startIn(state) });
  return id === 'new' ? <RulesForm list={null} start={start} /> : <RulesOf key={id} id={Number(id)} />;
}

function RulesOf({ id }: { id: number }) {
  const start = useLocation({ select: ({ state }) => startIn(state) });
  const { data, error, isFetchedAfterMount } = useQuery({
    ...queryOptionsFor(getList, { params: { id } }),
    // Somebody else may have changed them, and what is edited here replaces them.
    refetchOnMount: 'always',
  });
  // It is read again while somebody edits. The form stays with what is in it where that fails.
  const [isRead, setIsRead] = useState(false);
  if (data && !error && isFetchedAfterMount && !isRead) setIsRead(true);
  if (error && !isRead)
    return (
      <Page title="Segment" parent={parent}>
        <Card>
          <ErrorState title="The rules could not be loaded" error={error} />
        </Card>
      </Page>
    );
  if (!data || !isRead) return <Page title={data?.name ?? 'Segment'} parent={parent} children={null} />;
  if (data.isDynamic) return <RulesForm list={data} start={start} />;
  return (
    <Page title={data.name} parent={parent}>
      <Note
        tone="info"
        title="This list has no rules"
        action={
          <LinkButton to="/lists" variant="default">
            All lists
          </LinkButton>
        }
      >
        People put contacts on it. For contacts that join and leave by rules, make another list.
      </Note>
    </Page>
  );
}
