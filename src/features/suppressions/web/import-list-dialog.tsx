import { Anchor, FileInput, Select } from '@mantine/core';
import { IconChevronDown, IconFileText } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { addressOf, words } from '#platform/web/api.ts';
import { FormDialog } from '#platform/web/components/dialogs.tsx';
import { Note } from '#platform/web/components/states.tsx';
import { formatBytes, formatCount, formatNumber } from '#platform/web/format.ts';
import { toastDone } from '#platform/web/toast.tsx';
import { upload } from '#platform/web/transfer.ts';
import {
  importSuppressions,
  type ListImportResult,
  listForms,
  listReasons,
  suppressionImportReceipt,
} from '../contract.ts';
import { refreshSuppressions } from './refresh.ts';
import { reasonLabels } from './words.ts';

const formLabels: Record<(typeof listForms)[number], string> = {
  auto: 'Whatever each line looks like',
  plain: 'Addresses and domains',
  md5: 'MD5 hashes of addresses',
  sha1: 'SHA-1 hashes of addresses',
  sha256: 'SHA-256 hashes of addresses',
};

interface ImportListDialogProps {
  opened: boolean;
  onClose: () => void;
}

/** Brings in a list of whom not to mail, and says what became of every line. The work shows in the tray meanwhile. */
export function ImportListDialog({ opened, onClose }: ImportListDialogProps) {
  const [file, setFile] = useState<File | null>(null);
  const [reason, setReason] = useState<string>('imported');
  const [form, setForm] = useState<string>('auto');
  const queryClient = useQueryClient();
  const { mutate, reset, isPending, data, error } = useMutation({
    mutationFn: async (chosen: File) => {
      const body = new FormData();
      body.set('reason', reason);
      body.set('form', form);
      body.set('file', chosen);
      return (await upload(importSuppressions, { form: body })) as ListImportResult;
    },
    onSuccess: ({ added, domains }) => {
      toastDone({ title: 'Suppression List Imported', message: `${newWords(added, domains)} on the list.` });
      void refreshSuppressions(queryClient);
    },
  });
  useEffect(() => {
    if (!opened) return;
    setFile(null);
    reset();
  }, [opened, reset]);
  return (
    <FormDialog
      opened={opened}
      onClose={onClose}
      title="Import a suppression list"
      submitLabel={data ? 'Done' : 'Import list'}
      pendingLabel="Importing..."
      pending={isPending}
      submitDisabled={file === null}
      error={error === null ? null : words(error, 'The list could not be imported. Nothing was changed.')}
      onSubmit={() => (data ? onClose() : file && mutate(file))}
    >
      {data ? (
        <Outcome result={data} />
      ) : (
        <>
          <FileInput
            label="File"
            description="CSV or plain text: one address, domain (example.co.uk or @example.co.uk) or hash a line."
            placeholder="Choose a file"
            accept=".csv,.txt,text/csv,text/plain"
            leftSection={<IconFileText size={16} stroke={1.6} />}
            value={file}
            disabled={isPending}
            clearable
            clearButtonProps={{ 'aria-label': 'Take the file away' }}
            valueComponent={({ value }) =>
              value instanceof File ? `${value.name}, ${formatBytes(value.size)}` : null
            }
            onChange={(chosen) => {
              setFile(chosen);
              reset();
            }}
          />
          <Select
            label="What is in it"
            data={listForms.map((value) => ({ value, label: formLabels[value] }))}
            value={form}
            allowDeselect={false}
            disabled={isPending}
            rightSection={<IconChevronDown size={14} stroke={1.6} />}
            onChange={(value) => setForm(value ?? 'auto')}
          />
          <Select
            label="Reason"
            description="For lines that do not say so themselves in a column “reason”."
            data={listReasons.map((value) => ({ value, label: reasonLabels[value] }))}
            value={reason}
            allowDeselect={false}
            disabled={isPending}
            rightSection={<IconChevronDown size={14} stroke={1.6} />}
            onChange={(value) => setReason(value ?? 'imported')}
          />
        </>
      )}
    </FormDialog>
  );
}

const newWords = (added: number, domains: number): string =>
  `${formatCount(added, 'new address', 'new addresses')}${domains > 0 ? ` and ${formatCount(domains, 'new domain')}` : ''}`;

/** What became of the lines. */
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
