import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { ApiError, call, isChangedMeanwhile, isRefusal, words } from '#platform/web/api.ts';
import { Card } from '#platform/web/components/card.tsx';
import { FateBar } from '#platform/web/components/fate-bar.tsx';
import { TextButton, TextLink } from '#platform/web/components/links.tsx';
import { Columns, Page } from '#platform/web/components/page.tsx';
import { NoPermission, Note } from '#platform/web/components/states.tsx';
import { useMay } from '#platform/web/current-user.ts';
import { formatDuration, formatNumber } from '#platform/web/format.ts';
import { dismissTask } from '#platform/web/tasks.ts';
import { toastFailed } from '#platform/web/toast.tsx';
import { discardImport, type ImportCheck } from '../../contract.ts';
import { importQuery, type OneImport, refreshImports, showImport, startImport } from '../api.ts';
import { taskId, watchImport } from '../import-watch.ts';
import {
  failedMessage,
  groupsWords,
  importLabel,
  looksLikeSuppressions,
  needsEditor,
  severalSentence,
  skippedSentence,
} from '../import-words.ts';
import { importsParent } from '../imports-parent.ts';
import { BasisCard } from './basis-card.tsx';
import classes from './check-screen.module.css';
import { ColumnsCard } from './columns-card.tsx';
import { DoNotMailCard } from './do-not-mail-card.tsx';
import { FileCard } from './file-card.tsx';
import { FirstRowsCard } from './first-rows-card.tsx';
import { GroupsCard } from './groups-card.tsx';
import { OptionList } from './option-list.tsx';
import { SlipsCard } from './slips-card.tsx';
import { UkNote } from './uk-note.tsx';
import { type Recheck, useRecheck } from './use-check.ts';
import { useGroups } from './use-groups.ts';

interface CheckScreenProps {
  record: OneImport;
  check: ImportCheck;
}

/**
 * What was detected in a file and what would happen to its rows, each with the control that changes
 * it.
 */
export function CheckScreen({ record, check }: CheckScreenProps) {
  const recheck = useRecheck(record, check);
  const mayImport = useMay('editor');
  const groups = useGroups(record);
  const { importNow, starting, failure } = useStart(record, groups.settled);
  // The tray says "Ready to import" to somebody who is elsewhere.
  useEffect(() => dismissTask(taskId(record.id)), [record.id]);
  // A dry run that another window started also dims the figures.
  const stale = recheck.running || record.status === 'checking';
  const locked = !mayImport || starting;
  const groupsPlace = useRef<HTMLDivElement>(null);
  return (
    <Page
      title={record.fileName}
      parent={importsParent}
      purpose="Check what was detected. No contact is saved until you choose Import."
      actions={
        mayImport && (
          <Actions check={check} record={record} stale={stale} starting={starting} onImport={importNow} />
        )
      }
    >
      {!mayImport && (
        <Card>
          <NoPermission title={needsEditor} description="Ask an owner or admin. You can look at the check." />
        </Card>
      )}
      {mayImport && check.optedOut === 0 && looksLikeSuppressions(record.fileName) && (
        <Note
          title="Are these people who must not be mailed?"
          action={
            <TextLink to="/suppressions" search={{ dialog: 'import' }}>
              Import a suppression list
            </TextLink>
          }
        >
          The file’s name says so. Imported here they become contacts; on the suppression list they are never
          mailed, and later imports leave them out.
        </Note>
      )}
      {failure !== null && <Note tone="error">{failure}</Note>}
      <Columns columns="minmax(0, 1fr) 372px">
        <div className={classes.stack}>
          <FileCard record={record} check={check} recheck={recheck} locked={locked} />
          <ColumnsCard check={check} recheck={recheck} stale={stale} locked={locked} />
          <FirstRowsCard rows={check.sample} stale={stale} />
        </div>
        <div className={classes.side}>
          <WhatWillHappen check={check} recheck={recheck} stale={stale}>
            <p className={classes.groups}>
              <span>List and tags</span>
              <TextButton
                disabled={locked}
                onClick={() => groupsPlace.current?.querySelector('input')?.focus()}
              >
                {groupsWords(record.options)}
              </TextButton>
            </p>
          </WhatWillHappen>
          <BasisCard
            options={record.options}
            columns={check.columns}
            targets={recheck.targets}
            groups={groups}
            locked={locked}
          />
          <DoNotMailCard check={check} recheck={recheck} stale={stale} locked={locked} />
          <SlipsCard check={check} recheck={recheck} stale={stale} locked={locked} />
          <UkNote check={check} recheck={recheck} stale={stale} locked={locked} />
          <Card title="Options" flush>
            <div data-stale={stale || undefined} className={classes.dims}>
              <OptionList
                options={recheck.options}
                counts={{ ...check.counts, suppressed: check.counts.suppressed - check.optedOut }}
                disabled={locked}
                onChange={(options) => recheck.change({ options })}
              />
            </div>
          </Card>
          <div ref={groupsPlace}>
            <GroupsCard options={record.options} groups={groups} locked={locked} />
          </div>
        </div>
      </Columns>
    </Page>
  );
}

interface ActionsProps extends CheckScreenProps {
  stale: boolean;
  starting: boolean;
  onImport: () => void;
}

function Actions({ record, check, stale, starting, onImport }: ActionsProps) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const label = importLabel(check, record.options);
  const cancel = async () => {
    await navigate({ to: '/imports' });
    try {
      await call(discardImport, { params: { id: record.id } });
    } catch (error) {
      // Already gone, or started elsewhere: then it is not ours to discard. Leftover files expire
      // by themselves.
      if (!(error instanceof ApiError && [404, 409].includes(error.status))) {
        toastFailed({ title: 'Error', message: words(error, 'The file could not be discarded.') });
      }
    }
    queryClient.removeQueries({ queryKey: importQuery(record.id).queryKey });
    await refreshImports(queryClient);
  };
  return (
    <>
      <Button variant="subtle" color="gray" disabled={starting} onClick={() => void cancel()} data-gives-up>
        Cancel
      </Button>
      <Button
        loading={starting}
        disabled={stale || label === null}
        onClick={onImport}
        className={classes.primary}
      >
        {label ?? 'Nothing to import'}
      </Button>
    </>
  );
}

/** Starts the import. The page then shows its progress under the same address. */
function useStart({ id, fileName }: OneImport, groupsSaved: () => Promise<boolean>) {
  const [starting, setStarting] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const queryClient = useQueryClient();
  const importNow = async () => {
    setStarting(true);
    setFailure(null);
    try {
      if (!(await groupsSaved())) return setStarting(false);
      const seen = queryClient.getQueryData(importQuery(id).queryKey);
      if (!seen) return setStarting(false);
      await startImport(seen);
      watchImport(queryClient, id, { fileName, dryRun: false, announce: true });
      showImport(queryClient, id, (before) => before && { ...before, status: 'processing' });
      void refreshImports(queryClient);
    } catch (error) {
      if (isChangedMeanwhile(error)) {
        await queryClient.invalidateQueries({ queryKey: importQuery(id).queryKey });
        setFailure('Somebody has changed this import meanwhile. Look at it again before you import it.');
      } else if (isRefusal(error)) setFailure(words(error));
      else toastFailed(failedMessage);
      setStarting(false);
    }
  };
  return { importNow: () => void importNow(), starting, failure };
}

interface WhatWillHappenProps {
  check: ImportCheck;
  recheck: Recheck;
  stale: boolean;
  /** What happens besides. */
  children: ReactNode;
}

function WhatWillHappen({ check, recheck, stale, children }: WhatWillHappenProps) {
  const skipped = skippedSentence(check.blank);
  const several = check.severalAddresses;
  return (
    <Card
      title="What will happen"
      action={
        <span className={classes.dim} aria-live="polite">
          {stale ? 'Counting again' : `Dry run, ${formatDuration(check.seconds * 1000)}`}
        </span>
      }
    >
      <div data-stale={stale || undefined} className={classes.dims}>
        <FateBar counts={check.counts} legend="list" label="What will become of the rows" />
        <p className={classes.total}>
          <span>Rows in the file</span>
          <span className={classes.figure}>{formatNumber(check.rows)}</span>
        </p>
        {skipped !== null && <p className={classes.skipped}>{skipped}</p>}
        {several.lines > 0 && <p className={classes.skipped}>{severalSentence(several)}</p>}
      </div>
      {children}
      {recheck.hasOtherColumns && (
        <div className={classes.failed}>
          <Note title="The file has other columns now">
            They are as detected. What you had chosen for columns, and for who must not be mailed, no longer
            counts.
          </Note>
        </div>
      )}
      {recheck.failure && <RecheckFailure failure={recheck.failure} onRetry={recheck.retry} />}
    </Card>
  );
}

interface RecheckFailureProps {
  failure: NonNullable<Recheck['failure']>;
  onRetry: () => void;
}

function RecheckFailure({ failure: { reason, refused }, onRetry }: RecheckFailureProps) {
  return (
    <div className={classes.failed}>
      {refused ? (
        <Note tone="error" title="That choice did not work">
          {reason} All is as it was before it.
        </Note>
      ) : (
        <Note
          tone="error"
          title="The rows could not be counted again"
          action={<TextButton onClick={onRetry}>Try again</TextButton>}
        >
          {reason}
        </Note>
      )}
    </div>
  );
}
