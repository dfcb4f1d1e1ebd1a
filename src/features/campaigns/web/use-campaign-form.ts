import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { ChosenSender } from '#features/senders/web/index.ts';
import { call, isChangedMeanwhile, isRefusal, words } from '#platform/web/api.ts';
import { toastDone, toastFailed } from '#platform/web/toast.tsx';
import { type Campaign, type CampaignAudience, createCampaign, updateCampaign } from '../contract.ts';
import { type WrittenTemplate, writtenTemplates } from '../rules/campaign.ts';
import { partOf } from '../rules/part-key.ts';
import { useBeginnings } from './use-beginnings.ts';
import { useRefreshCampaigns } from './use-campaign-steps.ts';

interface Values {
  name: string;
  subject: string;
  content: string;
  /** A layout, or the email that it begins with. Null: nothing is chosen. */
  template: string | null;
  audience: CampaignAudience;
  sender: ChosenSender;
}

const blank: Values = {
  name: '',
  subject: '',
  content: '',
  template: null,
  audience: { include: [], exclude: [] },
  sender: { fromName: null, fromAddress: null, replyTo: null },
};

/** What a new campaign begins with. */
export interface CampaignStart {
  /** Whom it goes to, as `partOf` reads it. Without it everybody. */
  to?: string | undefined;
  /** One of the choices of `useBeginnings`. */
  with?: string | undefined;
}

const begunWith = ({ to, with: template }: CampaignStart): Values => ({
  ...blank,
  template: template ?? null,
  audience: to === undefined ? blank.audience : { include: [partOf(to)], exclude: [] },
});

const isLayout = (template: string | null): template is WrittenTemplate =>
  writtenTemplates.some((one) => one === template);

interface Asked {
  /** Null: a new one. */
  campaign: Campaign | null;
  start: CampaignStart;
  onClose: () => void;
}

export type CampaignForm = ReturnType<typeof useCampaignForm>;

/** What is entered for a campaign, and what becomes of it. */
export function useCampaignForm({ campaign, start, onClose }: Asked) {
  const [begin] = useState<Values>(() => (campaign ? valuesOf(campaign) : begunWith(start)));
  const [values, setValues] = useState(begin);
  /** As of when the values are. Undefined: what others have written since may be overwritten. */
  const [seenAt, setSeenAt] = useState(campaign?.updatedAt);
  const [pending, setPending] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);
  const { find } = useBeginnings();
  const refresh = useRefreshCampaigns();
  const navigate = useNavigate();
  const { name, subject, content, template, audience, sender } = values;
  const isDesigned = campaign?.template === 'custom';
  const begun = template === null ? undefined : find(template);
  // Until the templates are there, it is not known which of them the address means.
  const isWritten = isDesigned || (isLayout(template) ? content.trim() !== '' : begun !== undefined);
  const common = { name, subject, audience, ...sender };

  const create = async () => {
    const body = begun
      ? begun.templateId === null
        ? { document: begun.document }
        : { templateId: begun.templateId }
      : { content, template: isLayout(template) ? template : ('simple' as const) };
    const { id } = await call(createCampaign, { body: { ...common, ...body } });
    toastDone({ title: 'Campaign Created', message: `${name} is a draft.` });
    setValues(blank);
    onClose();
    if (begun) await navigate({ to: '/campaigns/$id/edit', params: { id: String(id) } as never });
  };
  const save = async ({ id }: Campaign) => {
    // The content of a design is made from its document, which a change of the content would drop.
    const own = isLayout(template) ? { content, template } : {};
    await call(updateCampaign, { params: { id }, body: { ...common, ...own, updatedAt: seenAt } });
    toastDone({ title: 'Campaign Updated', message: `${name} is saved.` });
    onClose();
  };
  const submit = async () => {
    setPending(true);
    setRefusal(null);
    try {
      await (campaign ? save(campaign) : create());
    } catch (error) {
      const message = campaign ? 'Failed to save campaign' : 'Failed to create campaign. Please try again.';
      // What the server says of the fields stands beside them.
      if (isChangedMeanwhile(error)) {
        setSeenAt(undefined);
        setRefusal('Somebody has changed this campaign meanwhile. Save again to have it your way.');
      } else if (isRefusal(error)) setRefusal(words(error, message));
      if (!campaign) toastFailed({ title: 'Error', message });
      else if (!isRefusal(error)) toastFailed({ title: 'Error', message: words(error, message) });
    }
    setPending(false);
    await refresh();
  };
  return {
    values,
    isChanged: JSON.stringify(values) !== JSON.stringify(begin),
    change: (patch: Partial<Values>) => setValues((before) => ({ ...before, ...patch })),
    ...{ pending, submit, refusal, isDesigned },
    /** A copy of an email takes the place of words. */
    isBegun: template !== null && !isLayout(template),
    isReady: name.trim() !== '' && subject.trim() !== '' && isWritten,
  };
}

const valuesOf = ({ name, subject, content, template, audience, ...rest }: Campaign): Values => ({
  ...{ name, subject, content, audience },
  sender: { fromName: rest.fromName, fromAddress: rest.fromAddress, replyTo: rest.replyTo },
  template: template === 'custom' ? null : template,
});
