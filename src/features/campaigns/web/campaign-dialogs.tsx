import { Modal } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { queryOptionsFor } from '#platform/web/api.ts';
import { ErrorState } from '#platform/web/components/states.tsx';
import { useUrlState } from '#platform/web/url-state.ts';
import { type Campaign, getCampaign } from '../contract.ts';
import { CampaignDialog } from './campaign-dialog.tsx';
import { campaignsSearch } from './campaigns-search.ts';
import { ResendDialog } from './resend-dialog.tsx';
import { SendDialog } from './send-dialog.tsx';

/** What the address asks for beside the list. */
export function CampaignDialogs({ shown }: { shown: readonly Campaign[] | undefined }) {
  const [{ dialog, to, with: template, send, resend }, change] = useUrlState(campaignsSearch);
  const sent = useNamed(send, shown);
  const resent = useNamed(resend, shown);
  return (
    <>
      <CampaignDialog
        asked={dialog ?? null}
        start={{ to, with: template }}
        onClose={() => change({ dialog: undefined, to: undefined, with: undefined })}
      />
      <SendDialog campaign={sent.campaign ?? null} onClose={() => change({ send: undefined })} />
      <Failed error={sent.error} onClose={() => change({ send: undefined })} />
      {resent.campaign && (
        <ResendDialog campaign={resent.campaign} onClose={() => change({ resend: undefined })} />
      )}
      <Failed error={resent.error} onClose={() => change({ resend: undefined })} />
    </>
  );
}

/** Stands for the dialog of a campaign that could not be read: it may have been deleted. */
const Failed = ({ error, onClose }: { error: unknown; onClose: () => void }) => (
  <Modal opened={error !== null} onClose={onClose} title="Campaign" size={440}>
    {error !== null && <ErrorState title="The campaign could not be loaded" error={error} />}
  </Modal>
);

interface Named {
  campaign: Campaign | undefined;
  /** Why there is no campaign, or null. */
  error: unknown;
}

/** The campaign that the address names. Where it is not among those that show, it is asked for. */
function useNamed(id: number | undefined, shown: readonly Campaign[] | undefined): Named {
  const found = shown?.find((campaign) => campaign.id === id);
  const { data, error } = useQuery({
    ...queryOptionsFor(getCampaign, { params: { id: id ?? 0 } }),
    enabled: id !== undefined && shown !== undefined && found === undefined,
  });
  if (id === undefined) return { campaign: undefined, error: null };
  const campaign = found ?? data;
  return { campaign, error: campaign ? null : error };
}
