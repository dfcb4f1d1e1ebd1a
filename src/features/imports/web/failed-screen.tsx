import { useEffect } from 'react';
import { Card } from '#platform/web/components/card.tsx';
import { LinkButton } from '#platform/web/components/links.tsx';
import { Page } from '#platform/web/components/page.tsx';
import { ErrorState } from '#platform/web/components/states.tsx';
import { useMay } from '#platform/web/current-user.ts';
import { formatBytes, formatWhen } from '#platform/web/format.ts';
import { dismissTask } from '#platform/web/tasks.ts';
import type { OneImport } from './api.ts';
import { taskId } from './import-watch.ts';
import { noReason } from './import-words.ts';
import { importsParent } from './imports-parent.ts';
import { RecentImports } from './recent-imports.tsx';

/** A failed import: why it failed, that nothing is half done, and what to do next. */
export function FailedScreen({ record }: { record: OneImport }) {
  const mayImport = useMay('editor');
  // This screen shows what the tray would say.
  useEffect(() => dismissTask(taskId(record.id)), [record.id]);
  const reason = record.error || noReason;
  const size = record.fileSize > 0 ? `, ${formatBytes(record.fileSize)}` : '';
  return (
    <Page
      title={record.fileName}
      parent={importsParent}
      purpose={`Tried ${formatWhen(record.finishedAt ?? record.createdAt)}${
        record.createdBy ? ` by ${record.createdBy}` : ''
      }${size}. Your contacts are as they were before.`}
    >
      <Card>
        <ErrorState
          title="This file could not be imported"
          description={reason}
          action={mayImport && <LinkButton to="/imports">Choose another file</LinkButton>}
        />
      </Card>
      <RecentImports newest={5} />
    </Page>
  );
}
