import { Textarea } from '@mantine/core';
import { useState } from 'react';
import { pastedFile } from '#features/csv/rules/pasted.ts';
import { FormDialog } from '#platform/web/components/dialogs.tsx';
import { formatCount } from '#platform/web/format.ts';

interface PasteDialogProps {
  opened: boolean;
  onClose: () => void;
  /** Receives the addresses as a file. */
  onFile: (file: File) => void;
}

/** Addresses from the clipboard go the way of a file: a check first, then the import. */
export function PasteDialog({ opened, onClose, onFile }: PasteDialogProps) {
  const [text, setText] = useState('');
  const pasted = pastedFile(text);
  const count = formatCount(pasted?.addresses ?? 0, 'address', 'addresses');
  const submit = () => {
    if (!pasted) return;
    onFile(new File([pasted.csv], pastedName, { type: 'text/csv' }));
    setText('');
    onClose();
  };
  return (
    <FormDialog
      opened={opened}
      onClose={onClose}
      title="Paste addresses"
      submitLabel={pasted ? `Check ${count}` : 'Check'}
      submitDisabled={pasted === null}
      pending={false}
      onSubmit={submit}
      width={520}
    >
      <Textarea
        label="Addresses"
        description="One a line, or with commas, semicolons or blanks between them. Names as in Jane Smith <jane@example.co.uk> are kept, and so are cells copied from a table."
        placeholder={'jane@example.co.uk\nJoe Bloggs <joe@example.co.uk>'}
        autosize
        minRows={8}
        maxRows={16}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        data-autofocus
      />
    </FormDialog>
  );
}

const pastedName = 'Pasted addresses.csv';
