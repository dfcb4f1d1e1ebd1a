import { useHotkeys } from '@mantine/hooks';
import { useNavigate } from '@tanstack/react-router';
import { AsyncButton } from '#platform/web/components/async-button.tsx';
import { LeftOver } from '#platform/web/components/left-over.tsx';
import { MayEditButton } from '#platform/web/components/may-edit-button.tsx';
import { Columns, Page } from '#platform/web/components/page.tsx';
import { PassingNotes } from '#platform/web/components/passing-notes.tsx';
import { useLeaveGuard } from '#platform/web/components/use-leave-guard.tsx';
import { toastFailed } from '#platform/web/toast.tsx';
import type { Campaign } from '../../contract.ts';
import { TestButton } from '../test-button.tsx';
import { useMayChange } from '../use-may-change.ts';
import { AbTestCard } from './ab-test/ab-test-card.tsx';
import { AudienceCard } from './audience-card.tsx';
import { useKeptCampaign } from './kept-campaign.ts';
import { LinesCard } from './lines-card.tsx';
import { MessageSection } from './message-section.tsx';
import { NeedsSender, Overtaken, SaveWords, ScheduledSince } from './save-words.tsx';
import { TrackingCard } from './tracking-card.tsx';
import { type Editing, useCampaignDraft } from './use-campaign-draft.ts';

/** Everything about a campaign before it is sent, saved while one writes. */
export function CampaignEditor({ campaign }: { campaign: Campaign }) {
  const editing = useCampaignDraft(campaign);
  const { draft, stored, isChanged, saver } = editing;
  const { change } = saver;
  const kept = useKeptCampaign(campaign.id, editing);
  const { found } = kept;
  const guard = useLeaveGuard(isChanged, 'The campaign', {
    save: async () => stored.status === 'draft' && saver.save('needed'),
    keep: kept.keep,
    onLeave: kept.drop,
  });
  // In fields and in words that are written in place, too.
  useHotkeys([['mod+S', () => void saver.save('asked')]], [], true);
  return (
    <Page
      title={draft.name || campaign.name}
      parent={{ label: 'Campaigns', to: '/campaigns' }}
      purpose={<SaveWords editing={editing} isKept={kept.isKept} />}
      actions={<Actions id={campaign.id} editing={editing} onLeave={guard.open} />}
    >
      {found && (
        <LeftOver
          at={found.at}
          isOld={found.content.updatedAt < stored.updatedAt}
          onRestore={() => {
            kept.restore();
            saver.resume(found.content.draft, found.content.updatedAt);
          }}
          onDiscard={kept.discard}
        />
      )}
      <Columns columns="minmax(0, 3fr) minmax(0, 2fr)">
        <LinesCard draft={draft} onChange={change} />
        <AudienceCard draft={draft} onChange={change} />
      </Columns>
      <TrackingCard draft={draft} onChange={change} />
      <AbTestCard draft={draft} onChange={change} />
      <MessageSection draft={draft} onChange={change} />
      <PassingNotes>
        <WhatStandsInTheWay editing={editing} />
      </PassingNotes>
      {guard.dialog}
    </Page>
  );
}

/** Why what is written is not saved by itself just now, if there is more to say than a line. */
function WhatStandsInTheWay({ editing }: { editing: Editing }) {
  const { stored, isOvertaken, isScheduledSince } = editing;
  const { mayChange } = useMayChange(stored.status);
  if (stored.status === 'scheduled' && !mayChange) return <NeedsSender editing={editing} />;
  if (isOvertaken) return <Overtaken editing={editing} />;
  return isScheduledSince && <ScheduledSince sendAt={stored.sendAt} />;
}

interface ActionsProps {
  id: number;
  editing: Editing;
  onLeave: () => void;
}

function Actions({ id, editing: { saver, stored, isChanged }, onLeave }: ActionsProps) {
  const navigate = useNavigate();
  const { mayChange, takes, why } = useMayChange(stored.status);
  /** Checks and tests are of what is stored. What is scheduled is saved by its own button alone. */
  const saveFirst = async (): Promise<boolean> => {
    if (stored.status === 'draft' || !isChanged) return saver.save('needed');
    toastFailed(
      mayChange && stored.status === 'scheduled'
        ? {
            title: 'Save the campaign first',
            message: 'It is scheduled, so what you write goes into it only by Save Campaign.',
          }
        : { title: 'Your changes are not saved', message: mayChange ? 'It was sent meanwhile.' : why },
    );
    return false;
  };
  const check = async () => {
    if (!(await saveFirst())) return;
    onLeave();
    await navigate({ to: '/campaigns/$id/check', params: { id: String(id) } as never });
  };
  return (
    <>
      <TestButton id={id} before={saveFirst} />
      <AsyncButton variant="default" onClick={check}>
        Check
      </AsyncButton>
      <MayEditButton {...{ takes, why }} onClick={() => saver.save('asked')}>
        Save Campaign
      </MayEditButton>
    </>
  );
}
