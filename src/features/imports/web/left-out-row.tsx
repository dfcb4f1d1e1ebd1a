import { Button, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { refreshContacts } from '#features/contacts/web/index.ts';
import { call } from '#platform/web/api.ts';
import { TextButton, TextLink } from '#platform/web/components/links.tsx';
import { useSending } from '#platform/web/components/use-sending.ts';
import { formatNumber, formatWhen } from '#platform/web/format.ts';
import { correctRow, type LeftOutRow, listRejectedRows } from '../contract.ts';
import classes from './left-out-card.module.css';
import { RowText } from './row-text.tsx';

interface LeftOutRowTextProps {
  importId: number;
  row: LeftOutRow;
  mayCorrect: boolean;
}

/** A row as it stands in the file, and below it what became of it or the way to correct it. */
export function LeftOutRowText({ importId, row, mayCorrect }: LeftOutRowTextProps) {
  const [editing, setEditing] = useState(false);
  const { corrected, canBeCorrected, line } = row;
  return (
    <div className={classes.row}>
      <RowText text={row.text} />
      {corrected ? (
        <p className={classes.corrected}>
          Imported as{' '}
          {corrected.isRemoved ? (
            corrected.email
          ) : (
            <TextLink to="/email-database" search={{ open: corrected.contactId }}>
              {corrected.email}
            </TextLink>
          )}{' '}
          by {corrected.by}, {formatWhen(corrected.at)}
          {corrected.isRemoved && '. Removed since.'}
        </p>
      ) : editing ? (
        <CorrectForm importId={importId} row={row} onClose={() => setEditing(false)} />
      ) : (
        mayCorrect &&
        canBeCorrected && (
          <p className={classes.below}>
            <TextButton onClick={() => setEditing(true)} label={`Correct line ${formatNumber(line)}`}>
              Correct
            </TextButton>
          </p>
        )
      )}
    </div>
  );
}

function CorrectForm({ importId, row, onClose }: { importId: number; row: LeftOutRow; onClose: () => void }) {
  const [email, setEmail] = useState(row.suggestion ?? '');
  const { pending, fields, error, send, forget } = useSending();
  const queryClient = useQueryClient();
  const { line, part } = row;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void send(async () => {
      await call(correctRow, { params: { id: importId }, body: { line, part, email } });
      await Promise.all([
        queryClient.invalidateQueries({ queryKey: [listRejectedRows.path] }),
        refreshContacts(queryClient),
      ]);
    });
  };
  return (
    <form onSubmit={submit} className={classes.correct} noValidate>
      <TextInput
        size="xs"
        aria-label={`Address of line ${formatNumber(line)}`}
        inputMode="email"
        spellCheck={false}
        autoFocus
        value={email}
        error={fields.email ?? error}
        onChange={(event) => {
          setEmail(event.currentTarget.value);
          forget();
        }}
        onKeyDown={(event) => event.key === 'Escape' && onClose()}
      />
      <Button type="submit" size="xs" loading={pending} disabled={email.trim() === ''}>
        Import
      </Button>
      <Button size="xs" variant="subtle" color="gray" disabled={pending} onClick={onClose}>
        Cancel
      </Button>
    </form>
  );
}
