import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useEffect } from 'react';
import { Card } from '#platform/web/components/card.tsx';
import { CentredSpinner } from '#platform/web/components/centred-spinner.tsx';
import { LinkButton } from '#platform/web/components/links.tsx';
import { Page } from '#platform/web/components/page.tsx';
import { ErrorState } from '#platform/web/components/states.tsx';
import { useLate } from '#platform/web/components/use-late.ts';
import { importQuery, isBusy, type OneImport } from './api.ts';
import { CheckScreen } from './check/check-screen.tsx';
import { FailedScreen } from './failed-screen.tsx';
import { useImportWatch, useTellsOutcome, watchImport } from './import-watch.ts';
import { importsParent } from './imports-parent.ts';
import { ProgressScreen } from './progress-screen.tsx';
import { ResultScreen } from './result-screen.tsx';

/** One import under one address: its check page, its progress, its result or why it failed. */
export default function ImportPage() {
  const { id: text } = useParams({ strict: false }) as { id: string };
  const id = Number(text);
  const known = Number.isSafeInteger(id) && id > 0;
  const query = useQuery({ ...importQuery(id), enabled: known });
  useTellsOutcome(known ? id : null);
  const waiting = useLate(query.isPending && known);
  if (query.data) return <OneImportScreen key={id} record={query.data} />;
  if (known && query.isPending) return <Page title="Import">{waiting && <CentredSpinner />}</Page>;
  return (
    <Page title="Import" parent={importsParent}>
      <Card>
        <ErrorState
          title="This import could not be shown"
          {...(known
            ? { error: query.error, onRetry: () => void query.refetch() }
            : { description: 'There is no such import.' })}
          action={
            <LinkButton to="/imports" variant="default">
              All imports
            </LinkButton>
          }
        />
      </Card>
    </Page>
  );
}

function OneImportScreen({ record }: { record: OneImport }) {
  const { id, fileName, status, check } = record;
  const queryClient = useQueryClient();
  const watch = useImportWatch(id);
  const busy = isBusy(record);
  useEffect(() => {
    if (busy) watchImport(queryClient, id, { fileName, dryRun: status === 'checking', announce: true });
  }, [busy, id, fileName, status, queryClient]);

  if (check && (status === 'checked' || status === 'checking')) {
    return <CheckScreen record={record} check={check} />;
  }
  // The full bar stays for a moment before the result takes its place.
  if (busy || (watch && !watch.dryRun && status === 'completed')) {
    return <ProgressScreen record={record} watch={watch} />;
  }
  return status === 'failed' ? <FailedScreen record={record} /> : <ResultScreen record={record} />;
}
