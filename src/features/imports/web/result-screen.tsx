import { Button } from '@mantine/core';
import { IconArrowBackUp, IconCircleCheckFilled, IconDownload } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Fragment, type ReactNode, useState } from 'react';
import { binPeriod } from '#features/bin/rules.ts';
import { AsyncButton } from '#platform/web/components/async-button.tsx';
import { Card } from '#platform/web/components/card.tsx';
import { FateBar } from '#platform/web/components/fate-bar.tsx';
import { LinkButton, TextLink } from '#platform/web/components/links.tsx';
import { Page } from '#platform/web/components/page.tsx';
import { Note } from '#platform/web/components/states.tsx';
import { useMay } from '#platform/web/current-user.ts';
import { formatBytes, formatDuration, formatNumber, formatWhen } from '#platform/web/format.ts';
import type { FateCounts, ImportRecord } from '../contract.ts';
import { noteWords } from '../rules/note-words.ts';
import { noNotes } from '../rules/notes.ts';
import { type OneImport, settingsQuery } from './api.ts';
import { saveReceipt } from './import-menu.tsx';
import {
  importedAt,
  leftTopicsSentence,
  newlySuppressedSentence,
  sheetSentence,
  skippedSentence,
  undoneSentence,
} from './import-words.ts';
import { importsParent } from './imports-parent.ts';
import { LeftOutCard } from './left-out-card.tsx';
import { NextSteps } from './next-steps.tsx';
import { RecentImports } from './recent-imports.tsx';
import classes from './result-screen.module.css';
import { UndoDialog } from './undo-dialog.tsx';

const noCounts: FateCounts = { imported: 0, duplicates: 0, invalid: 0, suppressed: 0, nonUk: 0 };

/** What an import did: first how many were imported, then why the others were left out. */
export function ResultScreen({ record }: { record: OneImport }) {
  const [undoing, setUndoing] = useState<ImportRecord | null>(null);
  const kept = binPeriod(useQuery(settingsQuery).data?.retention.binDays);
  const mayImport = useMay('editor');
  const counts = record.results ?? noCounts;
  const skipped = skippedSentence(record.blank);
  const added = record.newlySuppressed ?? 0;
  const left = record.leftTopics ?? 0;
  const { warnings, remarks } = noteWords({ ...noNotes, ...record.notes });
  const by = record.createdBy ? ` by ${record.createdBy}` : '';
  const when = formatWhen(importedAt(record));
  return (
    <Page
      title={record.fileName}
      parent={importsParent}
      purpose={`Imported ${when}${by}.${record.canUndo ? undoSentence(added) : ''}`}
      actions={<Actions record={record} onUndo={() => setUndoing(record)} />}
    >
      {record.undoneAt !== null && <Undone record={record} undoneAt={record.undoneAt} kept={kept} />}
      <Card>
        <div className={classes.head}>
          <div>
            <p className={classes.label}>
              <IconCircleCheckFilled size={16} className={classes.tick} aria-hidden />
              Contacts imported
            </p>
            <p className={classes.count}>{formatNumber(counts.imported)}</p>
          </div>
          <Facts record={record} />
        </div>
        <FateBar counts={counts} height={22} large />
        {record.sheet !== null && record.sheet.sheets.length > 1 && (
          <p className={classes.skipped}>{sheetSentence(record.sheet)}</p>
        )}
        {skipped !== null && <p className={classes.skipped}>{skipped}</p>}
        {added > 0 && <p className={classes.skipped}>{newlySuppressedSentence(added)}</p>}
        {left > 0 && <p className={classes.skipped}>{leftTopicsSentence(left)}</p>}
        {remarks.map((remark) => (
          <p key={remark} className={classes.skipped}>
            {remark}
          </p>
        ))}
        {record.addedTo.length > 0 && <AddedTo record={record} />}
      </Card>
      {warnings.length > 0 && (
        <Note title="Look at how the file was read">
          {warnings.map((warning) => (
            <p key={warning} className={classes.warning}>
              {warning}
            </p>
          ))}
        </Note>
      )}
      {!isGone(record) && counts.imported > 0 && mayImport && <NextSteps importId={record.id} />}
      <LeftOutCard record={record} counts={counts} />
      <RecentImports newest={5} />
      <UndoDialog record={undoing} onClose={() => setUndoing(null)} />
    </Page>
  );
}

/** All that it added is in the bin, or no longer even there. */
const isGone = ({ restored }: OneImport): boolean => restored?.contacts === 0;

interface UndoneProps {
  record: OneImport;
  undoneAt: string;
  /** How long the bin keeps things, in words. */
  kept: string;
}

function Undone({ record, undoneAt, kept }: UndoneProps) {
  const { addedTo, restoredAt } = record;
  const title = `Undone ${formatWhen(undoneAt)}`;
  return (
    <Note
      tone="info"
      title={restoredAt === null ? title : `${title}, and restored ${formatWhen(restoredAt)}`}
    >
      {undoneSentence(record, kept)}
      {addedTo.length > 0 && ' Whoever stayed was taken off its list and its tags.'} The figures are those of
      the import.
    </Note>
  );
}

const undoSentence = (suppressed: number): string =>
  suppressed > 0
    ? ' Undo removes the contacts that this import added, and leaves who must not be mailed on the suppression list.'
    : ' Undo removes only what this import added.';

function Actions({ record, onUndo }: { record: OneImport; onUndo: () => void }) {
  const mayImport = useMay('editor');
  return (
    <>
      {record.canUndo && mayImport && (
        <Button variant="default" leftSection={<IconArrowBackUp size={16} stroke={1.6} />} onClick={onUndo}>
          Undo import
        </Button>
      )}
      {record.hasReceipt && (
        <AsyncButton
          variant="default"
          leftSection={<IconDownload size={16} stroke={1.6} />}
          onClick={() => saveReceipt(record)}
        >
          Download receipt
        </AsyncButton>
      )}
      {record.results?.imported === 0 && (record.newlySuppressed ?? 0) > 0 ? (
        <LinkButton to="/suppressions">View suppressions</LinkButton>
      ) : (
        <LinkButton to="/email-database" search={isGone(record) ? {} : { import: record.id }}>
          View contacts
        </LinkButton>
      )}
    </>
  );
}

/** The list and the tags that the contacts were added to. */
function AddedTo({ record: { addedTo, undoneAt } }: { record: OneImport }) {
  const lists = addedTo.filter(({ kind }) => kind === 'list');
  const tags = addedTo.filter(({ kind }) => kind === 'tag');
  const were = undoneAt === null ? 'are' : 'were';
  return (
    <p className={classes.skipped}>
      Its contacts {were} {lists.length > 0 && <>on the list {named(lists)}</>}
      {lists.length > 0 && tags.length > 0 && ' and '}
      {tags.length > 0 && <>tagged {named(tags)}</>}, also those who were contacts before.
    </p>
  );
}

/** Each with a link to its contacts, unless it was deleted. */
const named = (groups: OneImport['addedTo']): ReactNode =>
  groups.map(({ kind, id, name, isDeleted }, at) => (
    <Fragment key={id}>
      {at > 0 && (at === groups.length - 1 ? ' and ' : ', ')}
      {isDeleted ? (
        `“${name}” (deleted)`
      ) : (
        <TextLink to="/email-database" search={kind === 'list' ? { list: id } : { tag: [id] }}>
          {name}
        </TextLink>
      )}
    </Fragment>
  ));

/** Rows read, time, speed and file size. */
function Facts({ record }: { record: OneImport }) {
  const { rows, startedAt, finishedAt, fileSize } = record;
  const milliseconds =
    startedAt && finishedAt ? new Date(finishedAt).getTime() - new Date(startedAt).getTime() : null;
  const [size = '', unit = ''] = formatBytes(fileSize).split(' ');
  return (
    <dl className={classes.facts}>
      <Fact label="Rows read" value={formatNumber(rows ?? 0)} />
      {milliseconds !== null && <TimeFact milliseconds={milliseconds} />}
      {milliseconds !== null && milliseconds > 0 && (
        <Fact label="Speed" value={formatNumber(((rows ?? 0) / milliseconds) * 1000)} unit="rows/s" />
      )}
      <Fact label="File" value={size} unit={unit} />
    </dl>
  );
}

function TimeFact({ milliseconds }: { milliseconds: number }) {
  const text = formatDuration(milliseconds);
  const [value = '', unit = '', ...rest] = text.split(' ');
  return rest.length > 0 ? (
    <Fact label="Time" value={text} />
  ) : (
    <Fact label="Time" value={value} unit={unit} />
  );
}

function Fact({ label, value, unit }: { label: string; value: string; unit?: string }) {
  return (
    <div className={classes.fact}>
      <dt>{label}</dt>
      <dd>
        {value}
        {unit && <span className={classes.unit}> {unit}</span>}
      </dd>
    </div>
  );
}
