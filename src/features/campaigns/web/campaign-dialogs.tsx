import { useUrlState } from '#platform/web/url-state.ts';
import type { Campaign } from '../contract.ts';
import { CampaignDialog } from './campaign-dialog.tsx';
import { campaignsSearch } from './campaigns-search.ts';
import { ResendDialog } from './resend-dialog.tsx';
import { SendDialog } from './send-dialog.tsx';

/** What the address asks for beside the list. */
export function CampaignDialogs({ find }: { find: (id: number | undefined) => Campaign | undefined }) {
  const [{ dialog, to, with: template, send, resend }, change] = useUrlState(campaignsSearch);
  const resent = find(resend);
  return (
    <>
      <CampaignDialog
        asked={dialog ?? null}
        start={{ to, with: template }}
        onClose={() => change({ dialog: undefined, to: undefined, with: undefined })}
      />
      <SendDialog campaign={find(send) ?? null} onClose={() => change({ send: undefined })} />
      {resent && <ResendDialog campaign={resent} onClose={() => change({ resend: undefined })} />}
    </>
  );
}
