import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { queryOptionsFor } from '#platform/web/api.ts';
import { Card } from '#platform/web/components/card.tsx';
import { Page } from '#platform/web/components/page.tsx';
import { ErrorState } from '#platform/web/components/states.tsx';
import { useUrlState } from '#platform/web/url-state.ts';
import { getTemplate } from '../../contract.ts';
import { editorSearch } from '../templates-search.ts';
import { blankDraft } from './blank-draft.ts';
import { type Draft, draftOf } from './content.ts';
import { parent } from './parent.ts';
import { TemplateEditor } from './template-editor.tsx';
import { useBrandOrNot } from './use-brand.ts';

/** One template in the editor: `/templates/4`, or a new one at `/templates/new`. */
export default function EditorPage() {
  const { id = '' } = useParams({ strict: false }) as { id?: string };
  const [created, setCreated] = useState<string>();
  const [opened, setOpened] = useState({ id, visit: 0, isNew: id === 'new' });
  if (opened.id !== id) {
    // A template that was new has an address now. Whoever writes it goes on where they are.
    const isSame = opened.id === 'new' && created === id;
    setOpened(isSame ? { ...opened, id } : { id, visit: opened.visit + 1, isNew: id === 'new' });
  }
  return opened.isNew ? (
    <NewTemplate key={opened.visit} onCreated={(made) => setCreated(String(made))} />
  ) : (
    <StoredTemplate key={opened.visit} id={Number(opened.id)} />
  );
}

function NewTemplate({ onCreated }: { onCreated: (id: number) => void }) {
  const [{ as }] = useUrlState(editorSearch);
  const { brand, isError } = useBrandOrNot();
  const [begin, setBegin] = useState<Draft>();
  // Without the brand one can write, too.
  if (!begin && (brand || isError)) setBegin(blankDraft(brand, as));
  if (begin) return <TemplateEditor template={null} begin={begin} onCreated={onCreated} />;
  return (
    <Page title="New template" parent={parent}>
      <Skeleton height={520} />
    </Page>
  );
}

function StoredTemplate({ id }: { id: number }) {
  const { data, error, isFetchedAfterMount } = useQuery({
    ...queryOptionsFor(getTemplate, { params: { id } }),
    // What is edited here replaces what is stored.
    refetchOnMount: 'always',
  });
  // The newest version is what one begins with. Later readings must not replace what is typed.
  const [begun, setBegun] = useState<typeof data>();
  if (data && isFetchedAfterMount && !begun) setBegun(data);
  if (begun) return <TemplateEditor template={begun} begin={draftOf(begun)} onCreated={nothing} />;
  return (
    <Page title="Template" parent={parent}>
      {error ? (
        <Card>
          <ErrorState title="The template could not be loaded" error={error} />
        </Card>
      ) : (
        <Skeleton height={520} />
      )}
    </Page>
  );
}

const nothing = (): undefined => undefined;
