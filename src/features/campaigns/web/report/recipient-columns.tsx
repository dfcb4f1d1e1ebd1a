import { AddressText } from '#platform/web/components/address-text.tsx';
import type { Column, PhoneRow } from '#platform/web/components/data-table-props.ts';
import { DateText } from '#platform/web/components/date-text.tsx';
import { StatusBadge } from '#platform/web/components/status-badge.tsx';
import type { Tone } from '#platform/web/theme-colours.ts';
import type { CampaignRecipient } from '../../contract.ts';
import type { RecipientAct } from '../../rules/campaign.ts';
import { actLabels, stateLabels } from '../campaign-words.ts';

const tones: Record<CampaignRecipient['state'], Tone> = {
  pending: 'neutral',
  sent: 'success',
  deferred: 'warning',
  failed: 'error',
  skipped: 'neutral',
  uncertain: 'warning',
  left_out: 'neutral',
};

const State = ({ state }: Pick<CampaignRecipient, 'state'>) => (
  <StatusBadge status={state} label={stateLabels[state]} tone={tones[state]} />
);

const whyOf = ({ state, words, reply }: CampaignRecipient): string =>
  state === 'sent' || state === 'pending' ? '' : [words, reply].filter(Boolean).join('. ');

/** What is known of somebody. Who clicked has opened it. */
function actsOf(recipient: CampaignRecipient): { act: RecipientAct; at: string }[] {
  const { complainedAt, leftAt, bouncedAt, clickedAt, openedAt } = recipient;
  const acts: { act: RecipientAct; at: string | null }[] = [
    { act: 'bounced', at: bouncedAt },
    { act: clickedAt === null ? 'opened' : 'clicked', at: clickedAt ?? openedAt },
    { act: 'left', at: leftAt },
    { act: 'complained', at: complainedAt },
  ];
  return acts.flatMap(({ act, at }) => (at === null ? [] : [{ act, at }]));
}

const Did = ({ recipient }: { recipient: CampaignRecipient }) =>
  actsOf(recipient).map(({ act, at }, place) => (
    <span key={act}>
      {place === 0 ? actLabels[act] : `, ${actLabels[act].toLowerCase()}`} <DateText value={at} />
    </span>
  ));

export const recipientColumns: Column<CampaignRecipient>[] = [
  {
    key: 'address',
    head: 'Address',
    width: '34%',
    tone: 'strong',
    cell: ({ address }) => <AddressText address={address} />,
  },
  { key: 'state', head: 'State', width: 150, cell: State },
  { key: 'did', head: 'Did', width: 260, cell: (recipient) => <Did recipient={recipient} /> },
  {
    key: 'why',
    head: 'Why',
    tone: 'dim',
    cell: (recipient) => <span title={whyOf(recipient)}>{whyOf(recipient)}</span>,
  },
];

export const recipientOnPhone = (recipient: CampaignRecipient): PhoneRow => ({
  title: <AddressText address={recipient.address} />,
  second: (
    <>
      <State state={recipient.state} />
      <span>
        <Did recipient={recipient} />
      </span>
      <span>{whyOf(recipient)}</span>
    </>
  ),
});
