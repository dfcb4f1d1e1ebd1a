import { useQuery } from '@tanstack/react-query';
import { queryOptionsFor } from '#platform/web/api.ts';
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
      <SendDialog campaign={sent ?? null} onClose={() => change({ send: undefined })} />
      {resent && <ResendDialog campaign={resent} onClose={() => change({ resend: undefined })} />}
    </>
  );
}

/** The campaign that the address names. Where it is not among those that show, it is asked for. */
function useNamed(id: number | undefined, shown: readonly Campaign[] | undefined): Campaign | undefined {
  const found = shown?.find((campaign) => campaign.id === id);
  const { data } = useQuery({
    ...queryOptionsFor(getCampaign, { params: { id: id ?? 0 } }),
    enabled: id !== undefined && shown !== undefined && found === undefined,
  });
  return id === undefined ? undefined : (found ?? data);
}
