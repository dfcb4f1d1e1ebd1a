import { Button, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { TextButton } from '#platform/web/components/links.tsx';
import classes from './left-out-card.module.css';

interface LineFormProps {
  line: number | undefined;
  onLine: (line: number | undefined) => void;
}

/** Finds the rows of one line, which may stand far down the receipt. */
export function LineForm({ line, onLine }: LineFormProps) {
  const [wanted, setWanted] = useState(line === undefined ? '' : String(line));
  const number = Number(wanted.replaceAll(',', ''));
  const isLine = Number.isSafeInteger(number) && number > 0;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isLine) onLine(number);
  };
  return (
    <form className={classes.line} onSubmit={submit} noValidate>
      <TextInput
        size="xs"
        aria-label="Line of the file"
        placeholder="Line of the file"
        inputMode="numeric"
        value={wanted}
        onChange={(event) => setWanted(event.currentTarget.value)}
      />
      <Button type="submit" size="xs" variant="default" disabled={!isLine}>
        Show line
      </Button>
      {line !== undefined && <TextButton onClick={() => onLine(undefined)}>Show the first rows</TextButton>}
    </form>
  );
}
