import { Button, Group, Modal, Radio, SegmentedControl, Stack } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call, queryOptionsFor, words } from '#platform/web/api.ts';
import { CentredSpinner } from '#platform/web/components/centred-spinner.tsx';
import { ErrorState, Note } from '#platform/web/components/states.tsx';
import { useMay } from '#platform/web/current-user.ts';
import { toastDone, toastFailed } from '#platform/web/toast.tsx';
import {
  type BounceMail,
  listBounceMails,
  type MailReading,
  mailReadings,
  readBounceMail,
  showBounceMail,
} from '../contract.ts';
import classes from './mail-dialog.module.css';
import { readingEffects, readingLabels } from './words.ts';

/** One returned mail: what it says, its source, and what it means. */
export const MailDialog = ({ id, onClose }: { id: number | undefined; onClose: () => void }) => (
  <Modal opened={id !== undefined} onClose={onClose} title="Returned mail" size={720}>
    {id !== undefined && <Mail id={id} onClose={onClose} />}
  </Modal>
);

const forms = ['Text', 'Source'] as const;

function Mail({ id, onClose }: { id: number; onClose: () => void }) {
  const [form, setForm] = useState<(typeof forms)[number]>('Text');
  const { data, error, refetch } = useQuery(queryOptionsFor(showBounceMail, { params: { id } }));
  if (error && !data)
    return <ErrorState title="The mail could not be loaded" error={error} onRetry={() => void refetch()} />;
  if (!data) return <CentredSpinner />;
  const { from, subject, to, mailing, text, source } = data;
  return (
    <div className={classes.body}>
      <div className={classes.facts}>
        <b>{subject || 'No subject'}</b>
        <span>From {from || 'nobody named'}</span>
        <span>
          About {mailing === null ? 'a message' : `“${mailing}”`}
          {to !== null && ` to ${to}`}
        </span>
      </div>
      <SegmentedControl
        size="xs"
        aria-label="Show"
        data={[...forms]}
        value={form}
        onChange={(value) => setForm(value as typeof form)}
      />
      {/* It scrolls, so the keyboard must reach it. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the same */}
      <section className={classes.text} tabIndex={0} aria-label={form}>
        {form === 'Text' ? text || 'It has no text.' : source}
      </section>
      <Reading mail={data} onClose={onClose} />
    </div>
  );
}

function Reading({ mail, onClose }: { mail: BounceMail; onClose: () => void }) {
  const [as, setAs] = useState<MailReading>('hard');
  const [isBusy, setIsBusy] = useState(false);
  const mayEdit = useMay('editor');
  const queryClient = useQueryClient();
  if (mail.readAs !== null)
    return (
      <Note tone="info" title={readingLabels[mail.readAs]}>
        Said by {mail.readBy}.
      </Note>
    );
  const say = async () => {
    setIsBusy(true);
    try {
      await call(readBounceMail, { params: { id: mail.id }, body: { as } });
      toastDone({ title: 'Mail Read', message: readingEffects[as] });
      onClose();
    } catch (error) {
      toastFailed({ title: 'Error', message: words(error, 'It could not be kept. Please try again.') });
    }
    setIsBusy(false);
    for (const { path } of [listBounceMails, showBounceMail])
      await queryClient.invalidateQueries({ queryKey: [path] });
  };
  return (
    <Stack gap={12}>
      <Radio.Group label="What does it mean?" value={as} onChange={(value) => setAs(value as MailReading)}>
        <Stack gap={8} mt={8}>
          {mailReadings.map((one) => (
            <Radio
              key={one}
              value={one}
              label={readingLabels[one]}
              description={readingEffects[one]}
              disabled={!mayEdit}
            />
          ))}
        </Stack>
      </Radio.Group>
      <Group justify="flex-end">
        <Button onClick={() => void say()} loading={isBusy} disabled={!mayEdit}>
          {readingLabels[as]}
        </Button>
      </Group>
    </Stack>
  );
}
