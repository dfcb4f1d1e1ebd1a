import { Anchor, FileInput, Progress, Select } from '@mantine/core';
import { IconChevronDown, IconFileText } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTask } from '#features/tasks/web/index.ts';
import { addressOf, queryOptionsFor } from '#platform/web/api.ts';
import { FormDialog } from '#platform/web/components/dialogs.tsx';
import { ErrorState, Note } from '#platform/web/components/states.tsx';
import { TaskProgress } from '#platform/web/components/task-progress.tsx';
import { formatBytes, formatCount, formatNumber } from '#platform/web/format.ts';
import {
  type ListImportResult,
  listForms,
  listReasons,
  suppressionImport,
  suppressionImportReceipt,
} from '../contract.ts';
import { useListImport } from './use-list-import.ts';
import { newWords, reasonByName, reasonLabels } from './words.ts';

const formLabels: Record<(typeof listForms)[number], string> = {
  auto: 'Whatever each line looks like',
  plain: 'Addresses and domains',
  md5: 'MD5 hashes of addresses',
  sha1: 'SHA-1 hashes of addresses',
  sha256: 'SHA-256 hashes of addresses',
};

interface ImportListDialogProps {
  opened: boolean;
  /** The imported list whose result to show. Without it, the person chooses a new one. */
  listId: number | undefined;
  onClose: () => void;
}

/**
 * Imports a list of people not to mail, and says what happened to every line. The dialog can be
 * closed meanwhile; the tray leads back to the result.
 */
export function ImportListDialog({ opened, listId, onClose }: ImportListDialogProps) {
  const [file, setFile] = useState<File | null>(null);
  const [reason, setReason] = useState<string>('imported');
  const [form, setForm] = useState<string>('auto');
  const { stage, start, reset, leave } = useListImport();
  useEffect(() => {
    if (!opened) return;
    setFile(null);
    setReason('imported');
    setForm('auto');
    reset();
  }, [opened, reset]);
  const close = () => {
    leave();
    onClose();
  };
  const isSending = stage.at === 'sending';
  const isChoosing = listId === undefined && (stage.at === 'choosing' || isSending);
  return (
    <FormDialog
      opened={opened}
      onClose={close}
      title={listId === undefined ? 'Import a suppression list' : 'Imported suppression list'}
      submitLabel={isChoosing ? 'Import list' : stage.at === 'working' ? 'Close' : 'Done'}
      pending={false}
      submitDisabled={isChoosing && (file === null || isSending)}
      withoutCancel={!isChoosing}
      error={stage.at === 'choosing' ? stage.error : null}
      onSubmit={() => (isChoosing ? file && start({ file, reason, form }) : close())}
    >
      {listId !== undefined ? (
        <StoredResult id={listId} />
      ) : stage.at === 'done' ? (
        <Outcome result={stage.result} />
      ) : stage.at === 'working' ? (
        <Working taskId={stage.taskId} />
      ) : (
        <>
          <FileInput
            label="File"
            description="CSV or plain text: one address, domain (example.co.uk or @example.co.uk) or hash a line."
            placeholder="Choose a file"
            accept=".csv,.txt,text/csv,text/plain"
            leftSection={<IconFileText size={16} stroke={1.6} />}
            value={file}
            disabled={isSending}
            clearable
            clearButtonProps={{ 'aria-label': 'Take the file away' }}
            valueComponent={({ value }) =>
              value instanceof File ? `${value.name}, ${formatBytes(value.size)}` : null
            }
            onChange={(chosen) => {
              setFile(chosen);
              setReason((chosen && reasonByName(chosen.name)) ?? 'imported');
              reset();
            }}
          />
          <Select
            label="What is in it"
            data={listForms.map((value) => ({ value, label: formLabels[value] }))}
            value={form}
            allowDeselect={false}
            disabled={isSending}
            rightSection={<IconChevronDown size={14} stroke={1.6} />}
            onChange={(value) => setForm(value ?? 'auto')}
          />
          <Select
            label="Reason"
            description="For lines that do not say so themselves in a column “reason”."
            data={listReasons.map((value) => ({ value, label: reasonLabels[value] }))}
            value={reason}
            allowDeselect={false}
            disabled={isSending}
            rightSection={<IconChevronDown size={14} stroke={1.6} />}
            onChange={(value) => setReason(value ?? 'imported')}
          />
          {isSending && (
            <Progress
              value={stage.share * 100}
              size={4}
              radius="sm"
              aria-label={`Sending the list: ${Math.round(stage.share * 100)}%`}
            />
          )}
        </>
      )}
    </FormDialog>
  );
}

/** How far the reading is. */
function Working({ taskId }: { taskId: number }) {
  const watched = useTask(taskId);
  if (!watched) return null;
  const { task, pace } = watched;
  return (
    <>
      <TaskProgress
        task={{
          id: `dialog-${task.id}`,
          label: task.phase ?? 'Waiting for its turn',
          state: 'running',
          done: task.done,
          ...(task.total === null ? {} : { total: task.total }),
          ...pace,
        }}
      />
      <p style={{ margin: 0 }}>
        You can close this. The work goes on, and the result is found under the tasks at the top.
      </p>
    </>
  );
}

/** The result of an earlier list import. */
function StoredResult({ id }: { id: number }) {
  const { data, error } = useQuery(queryOptionsFor(suppressionImport, { params: { id } }));
  if (error && !data) return <ErrorState title="The result could not be loaded" error={error} />;
  if (!data) return <p style={{ margin: 0 }}>Loading…</p>;
  return (
    <>
      <p style={{ margin: 0, overflowWrap: 'anywhere' }}>
        <strong>{data.fileName}</strong>
      </p>
      {data.status === 'processing' && <p style={{ margin: 0 }}>It is still being read.</p>}
      {data.status === 'failed' && (
        <Note tone="error">{data.error ?? 'The list could not be imported. Nothing was changed.'}</Note>
      )}
      {data.result && <Outcome result={data.result} />}
    </>
  );
}

/** What happened to the lines. */
function Outcome({ result }: { result: ListImportResult }) {
  const { id, lines, added, alreadyThere, invalid, domains, hashes, recognised } = result;
  return (
    <div aria-live="polite">
      <p style={{ margin: '0 0 8px' }}>
        <strong>{newWords(added, domains)}</strong> of {formatCount(lines, 'line')}.{' '}
        {formatNumber(alreadyThere)} on the list already.
      </p>
      {hashes > 0 && (
        <p style={{ margin: '0 0 8px' }}>
          {formatCount(hashes, 'address is', 'addresses are')} known by a hash alone;{' '}
          {formatCount(recognised, 'contact was', 'contacts were')} recognised. The others are kept out should
          they come.
        </p>
      )}
      {invalid > 0 && (
        <Note title={`${formatCount(invalid, 'line')} could not be read`}>
          <Anchor href={addressOf(suppressionImportReceipt, { params: { id } })} download>
            Download them with the reasons
          </Anchor>
        </Note>
      )}
    </div>
  );
}
