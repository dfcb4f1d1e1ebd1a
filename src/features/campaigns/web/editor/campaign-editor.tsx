import { useHotkeys } from '@mantine/hooks';
import { useNavigate } from '@tanstack/react-router';
import { AsyncButton } from '#platform/web/components/async-button.tsx';
import { LeftOver } from '#platform/web/components/left-over.tsx';
import { MayEditButton } from '#platform/web/components/may-edit-button.tsx';
import { Columns, Page } from '#platform/web/components/page.tsx';
import { useLeaveGuard } from '#platform/web/components/use-leave-guard.tsx';
import type { Campaign } from '../../contract.ts';
import { TestButton } from '../test-button.tsx';
import { AbTestCard } from './ab-test/ab-test-card.tsx';
import { AudienceCard } from './audience-card.tsx';
import { useKeptCampaign } from './kept-campaign.ts';
import { LinesCard } from './lines-card.tsx';
import { MessageSection } from './message-section.tsx';
import { Overtaken, SaveWords, ScheduledSince } from './save-words.tsx';
import { TrackingCard } from './tracking-card.tsx';
import { type Editing, useCampaignDraft } from './use-campaign-draft.ts';

/** Everything about a campaign before it is sent, saved while one writes. */
export function CampaignEditor({ campaign }: { campaign: Campaign }) {
  const editing = useCampaignDraft(campaign);
  const { draft, stored, isChanged, change, save, phase } = editing;
  const kept = useKeptCampaign(campaign.id, editing);
  const { found } = kept;
  const guard = useLeaveGuard(isChanged, 'The campaign', {
    save: async () => stored.status === 'draft' && save('auto'),
    keep: kept.keep,
    onLeave: kept.drop,
  });
  // In fields and in words that are written in place, too.
  useHotkeys([['mod+S', () => void save()]], [], true);
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
            kept.decide();
            editing.resume(found.content.draft, found.content.updatedAt);
          }}
          onDiscard={kept.decide}
        />
      )}
      {editing.isScheduledSince && <ScheduledSince sendAt={stored.sendAt} />}
      {phase === 'overtaken' && <Overtaken editing={editing} />}
      <Columns columns="minmax(0, 3fr) minmax(0, 2fr)">
        <LinesCard draft={draft} onChange={change} />
        <AudienceCard draft={draft} onChange={change} />
      </Columns>
      <TrackingCard draft={draft} onChange={change} />
      <AbTestCard draft={draft} onChange={change} />
      <MessageSection draft={draft} onChange={change} />
      {guard.dialog}
    </Page>
  );
}

interface ActionsProps {
  id: number;
  editing: Editing;
  onLeave: () => void;
}

function Actions({ id, editing: { save }, onLeave }: ActionsProps) {
  const navigate = useNavigate();
  /** The check is about what is stored. */
  const check = async () => {
    if (!(await save())) return;
    onLeave();
    await navigate({ to: '/campaigns/$id/check', params: { id: String(id) } as never });
  };
  return (
    <>
      <TestButton id={id} before={save} />
      <AsyncButton variant="default" onClick={check}>
        Check
      </AsyncButton>
      <MayEditButton why="Campaigns need the editor role." onClick={() => void save()}>
        Save Campaign
      </MayEditButton>
    </>
  );
}
