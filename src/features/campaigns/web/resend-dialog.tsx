import { TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { call, queryOptionsFor, words } from '#platform/web/api.ts';
import { FormDialog } from '#platform/web/components/dialogs.tsx';
import { ErrorLine } from '#platform/web/components/states.tsx';
import { toastDone } from '#platform/web/toast.tsx';
import { type Campaign, getTest, longestSubject, resendCampaign } from '../contract.ts';
import { audienceOfResend } from '../rules/audience-of-resend.ts';
import { subjectHint } from '../rules/line-length.ts';
import { AudienceCount } from './audience-fields.tsx';
import classes from './campaigns.module.css';
import { useRefreshCampaigns } from './use-campaign-steps.ts';

interface Props {
  campaign: Campaign;
  onClose: () => void;
}

/** Makes a draft for those who got a campaign and did not open it. */
export function ResendDialog({ campaign, onClose }: Props) {
  const { id, name, abTest } = campaign;
  const navigate = useNavigate();
  const refresh = useRefreshCampaigns();
  const test = useQuery({ ...queryOptionsFor(getTest, { params: { id } }), enabled: abTest !== null });
  // What most people got: the variant that has won.
  const won = test.data?.test?.variants.find(({ number }) => number === test.data.test?.winner);
  const [written, setWritten] = useState<string | null>(null);
  const sent = won?.subject ?? campaign.subject;
  const subject = written ?? sent;
  const [pending, setPending] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const submit = async () => {
    setPending(true);
    setError(null);
    try {
      const draft = await call(resendCampaign, {
        params: { id },
        body: written === null ? {} : { subject: written },
      });
      toastDone({ title: 'Campaign Created', message: `A draft for those who did not open ${name}.` });
      await refresh();
      onClose();
      await navigate({ to: '/campaigns/$id/check', params: { id: String(draft.id) } as never });
    } catch (failure) {
      setError(words(failure, 'The draft could not be made.'));
      setPending(false);
    }
  };
  return (
    <FormDialog
      opened
      onClose={onClose}
      title={`Resend ${name}`}
      submitLabel="Make the draft"
      pendingLabel="Making..."
      pending={pending}
      isChanged={subject !== sent}
      error={error}
      submitDisabled={subject.trim() === ''}
      onSubmit={() => void submit()}
    >
      <p className={classes.count}>
        It goes to those who got “{name}” and did not open it. Opens by mail scanners do not count.
      </p>
      <TextInput
        data-autofocus
        label="Subject"
        description={subjectHint(subject)}
        inputWrapperOrder={['label', 'input', 'description']}
        maxLength={longestSubject}
        autoComplete="off"
        value={subject}
        onChange={({ currentTarget: { value } }) => setWritten(value)}
      />
      {test.error && <ErrorLine title="The winner of the A/B test could not be loaded" error={test.error} />}
      <AudienceCount audience={audienceOfResend(campaign)} />
    </FormDialog>
  );
}
