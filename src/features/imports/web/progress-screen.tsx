import { Card } from '#platform/web/components/card.tsx';
import { LinkButton } from '#platform/web/components/links.tsx';
import { Page } from '#platform/web/components/page.tsx';
import { formatBytes, formatWhen } from '#platform/web/format.ts';
import type { OneImport } from './api.ts';
import type { ImportWatch } from './import-watch.ts';
import { importsParent } from './imports-parent.ts';
import classes from './progress-screen.module.css';
import { RecentImports } from './recent-imports.tsx';
import { WorkingBar } from './working.tsx';

/**
 * A running import or first dry run. The person can leave the page: the address and the task tray
 * lead back.
 */
export function ProgressScreen({ record, watch }: { record: OneImport; watch: ImportWatch | undefined }) {
  const checking = record.status === 'checking';
  return (
    <Page
      title={record.fileName}
      parent={importsParent}
      purpose={
        checking
          ? 'The file is being checked. Nothing is saved.'
          : 'The import is running. You can leave this page; it goes on without it.'
      }
      actions={
        <LinkButton to="/imports" variant="default">
          All imports
        </LinkButton>
      }
    >
      <Card>
        <div className={classes.body}>
          <WorkingBar watch={watch} {...(record.check && { totalRows: record.check.rows })} />
          <p className={classes.facts}>
            {record.fileSize > 0 && `${formatBytes(record.fileSize)}. `}
            Begun {formatWhen(record.startedAt ?? record.createdAt)}
            {record.createdBy && ` by ${record.createdBy}`}.
            {!checking &&
              ' Either all of it is imported or nothing: an import that is broken off leaves nothing behind.'}
          </p>
        </div>
      </Card>
      <RecentImports newest={5} />
    </Page>
  );
}
