import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Navigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { queryOptionsFor } from '#platform/web/api.ts';
import { Page } from '#platform/web/components/page.tsx';
import { ErrorState } from '#platform/web/components/states.tsx';
import { getCampaign } from '../../contract.ts';
import { CampaignEditor } from './campaign-editor.tsx';

/** A campaign that is not sent yet, in the editor: `/campaigns/4/edit`. */
export default function EditPage() {
  const { id = '' } = useParams({ strict: false }) as { id?: string };
  return <Edited key={id} id={Number(id) || 0} />;
}

function Edited({ id }: { id: number }) {
  const { data, error, isFetchedAfterMount } = useQuery({
    ...queryOptionsFor(getCampaign, { params: { id } }),
    // What is edited here replaces what is stored.
    refetchOnMount: 'always',
  });
  // Later readings must not replace what is typed.
  const [begun, setBegun] = useState<typeof data>();
  if (data && isFetchedAfterMount && !begun) setBegun(data);
  if (begun && begun.sentAt !== null)
    return <Navigate to={'/campaigns/$id' as string} params={{ id: String(id) } as never} replace />;
  if (begun) return <CampaignEditor campaign={begun} />;
  return (
    <Page title="Campaign" parent={{ label: 'Campaigns', to: '/campaigns' }}>
      {error ? (
        <ErrorState title="The campaign could not be loaded" error={error} />
      ) : (
        <Skeleton height={520} />
      )}
    </Page>
  );
}
