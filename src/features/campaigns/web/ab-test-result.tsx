import { useQuery, useQueryClient } from '@tanstack/react-query';
import { call, queryOptionsFor, words } from '#platform/web/api.ts';
import { Card } from '#platform/web/components/card.tsx';
import { MayEditButton } from '#platform/web/components/may-edit-button.tsx';
import { ErrorLine } from '#platform/web/components/states.tsx';
import { StatusBadge } from '#platform/web/components/status-badge.tsx';
import { formatLondonTime, formatNumber, formatShare } from '#platform/web/format.ts';
import { toastDone, toastFailed } from '#platform/web/toast.tsx';
import { type TestStanding, variantName } from '../contract/ab-test.ts';
import { type Campaign, chooseWinner, getTest } from '../contract.ts';
import { isMoving } from '../rules/campaign.ts';
import classes from './ab-test-result.module.css';
import { useRefreshCampaigns } from './use-campaign-steps.ts';

/** How the variants of a campaign did, and which one the rest gets. */
export function AbTestResult({ campaign }: { campaign: Campaign }) {
  const { data, error } = useQuery({
    ...queryOptionsFor(getTest, { params: { id: campaign.id } }),
    refetchInterval: isMoving(campaign) ? 5_000 : false,
  });
  if (error) return <ErrorLine title="The A/B test could not be loaded" error={error} />;
  const test = data?.test;
  if (!test) return null;
  const mayChoose = test.winner === null && test.variants[0]?.people !== 0 && campaign.status !== 'cancelled';
  return (
    <Card title="A/B test" hint={standingInWords(test, campaign)} flush>
      <div className={classes.room}>
        <table className={classes.variants}>
          <thead>
            <tr>
              <th scope="col">Variant</th>
              <th scope="col">Sent</th>
              <th scope="col">Opened</th>
              <th scope="col">Clicked</th>
              <th scope="col">Is the best</th>
              <th scope="col">
                <span className={classes.action}>{mayChoose ? 'For the rest' : ''}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {test.variants.map((variant) => (
              <tr key={variant.number}>
                <th scope="row">
                  <b>{variant.name}</b> {differenceOf(variant, test)}
                </th>
                <td>
                  {variant.sent === variant.people
                    ? formatNumber(variant.sent)
                    : `${formatNumber(variant.sent)} of ${formatNumber(variant.people)}`}
                </td>
                <Rate did={variant.opened} of={variant.sent} />
                <Rate did={variant.clicked} of={variant.sent} />
                <td>{chanceInWords(variant.chance)}</td>
                <td>
                  {variant.number === test.winner && <StatusBadge status="sent" label="Sent to the rest" />}
                  {mayChoose && <ChooseButton campaign={campaign} variant={variant.number} />}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Card>
  );
}

const Rate = ({ did, of }: { did: number; of: number }) => (
  <td>
    {formatNumber(did)} <span className={classes.share}>{of > 0 ? formatShare(did, of) : ''}</span>
  </td>
);

function ChooseButton({ campaign: { id }, variant }: { campaign: Campaign; variant: number }) {
  const refresh = useRefreshCampaigns();
  const queryClient = useQueryClient();
  const choose = async () => {
    try {
      await call(chooseWinner, { params: { id }, body: { variant } });
      toastDone({ title: 'Decided', message: `The rest gets variant ${variantName(variant)}.` });
    } catch (error) {
      toastFailed({ title: 'Error', message: words(error, 'Failed to decide the test') });
    }
    await Promise.all([refresh(), queryClient.invalidateQueries({ queryKey: [getTest.path] })]);
  };
  return (
    <MayEditButton
      takes="sender"
      why="Deciding a test needs the sender role."
      size="compact-xs"
      variant="default"
      onClick={choose}
    >
      Send {variantName(variant)}
    </MayEditButton>
  );
}

/** What a variant has that others have not. */
function differenceOf(
  { subject, fromName, fromAddress, delayHours, hasOwnContent }: TestStanding['variants'][number],
  { variants }: TestStanding,
): string {
  const differs = (of: (one: TestStanding['variants'][number]) => unknown) =>
    new Set(variants.map(of)).size > 1;
  return [
    ...(differs((one) => one.subject) ? [subject] : []),
    ...(differs((one) => `${one.fromName} ${one.fromAddress}`) ? [`${fromName} <${fromAddress}>`] : []),
    ...(differs((one) => one.hasOwnContent) ? [hasOwnContent ? 'content of its own' : 'the message'] : []),
    ...(differs((one) => one.delayHours)
      ? [delayHours === 0 ? 'at the start' : `${delayHours} h later`]
      : []),
  ].join(' · ');
}

const chanceInWords = (chance: number): string =>
  chance > 0.99 ? 'over 99%' : chance < 0.01 ? 'under 1%' : `${Math.round(chance * 100)}%`;

const byWords = { clicks: 'clicks', opens: 'opens', hand: 'hand' };

function standingInWords(
  { winner, decideBy, dueAt, decidedAt, decidedBy }: TestStanding,
  campaign: Campaign,
) {
  if (winner !== null && decidedAt !== null) {
    const who = decidedBy === null ? `by the most ${byWords[decideBy]}` : `by ${decidedBy}`;
    return `${variantName(winner)} won, decided ${who}: ${formatLondonTime(decidedAt)}`;
  }
  if (campaign.status === 'cancelled') return 'cancelled before it was decided';
  if (decideBy === 'hand') return 'the rest waits until somebody decides';
  return dueAt === null
    ? 'its recipients are being written down'
    : `decided by the most ${byWords[decideBy]}: ${formatLondonTime(dueAt)}, London`;
}
