import { Button, CopyButton, DataList } from '@mantine/core';
import { useId } from 'react';
import { nameOfField } from './contact-details.tsx';
import classes from './contact-panel.module.css';
import { useKeepText, useLeftTexts } from './left-texts.ts';

/** What was typed about a contact that is gone by now: to be taken elsewhere, or given up. */
export function LeftBehind({ id }: { id: number }) {
  const left = Object.entries(useLeftTexts(id));
  const keepText = useKeepText(id);
  const heading = useId();
  if (left.length === 0) return null;
  const giveUp = () => {
    for (const [field] of left) keepText(field, null);
  };
  return (
    <section aria-labelledby={heading}>
      <h3 id={heading} className={classes.heading}>
        What you wrote was not saved
      </h3>
      <DataList labelWidth={104} gap={8} className={classes.facts} mt={8} mb={12}>
        {left.map(([field, { text }]) => (
          <DataList.Item key={field}>
            <DataList.ItemLabel>{nameOfField(field)}</DataList.ItemLabel>
            <DataList.ItemValue>{text || '–'}</DataList.ItemValue>
          </DataList.Item>
        ))}
      </DataList>
      <div className={classes.buttons}>
        <CopyButton value={left.map(([, { text }]) => text).join('\n')} timeout={1500}>
          {({ copied, copy }) => (
            <Button size="xs" variant="default" onClick={copy}>
              {copied ? 'Copied' : 'Copy it'}
            </Button>
          )}
        </CopyButton>
        <Button size="xs" variant="subtle" color="gray" onClick={giveUp}>
          Discard it
        </Button>
      </div>
    </section>
  );
}
