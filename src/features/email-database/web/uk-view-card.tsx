import { Skeleton, UnstyledButton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { UkClass, UkPolicy } from '#features/addresses/contract.ts';
import { statsOptions } from '#features/audience/web/index.ts';
import { ukClassLabels } from '#features/contacts/web/index.ts';
import { getUkView, type UkView } from '#features/rollups/contract.ts';
import { queryOptionsFor } from '#platform/web/api.ts';
import { SegmentBar } from '#platform/web/components/fate-bar.tsx';
import { ErrorLine } from '#platform/web/components/states.tsx';
import { formatNumber } from '#platform/web/format.ts';
import classes from './uk-view-card.module.css';

const colours: Record<UkClass, string> = {
  uk: 'var(--ui-class-uk)',
  likely_uk: 'var(--ui-class-likely)',
  global: 'var(--ui-class-global)',
  not_uk: 'var(--ui-class-not-uk)',
};
const order = ['uk', 'likely_uk', 'global', 'not_uk'] as const;

const policyWords: Record<UkPolicy, string> = {
  suffix: 'UK endings only',
  likely: 'UK endings and likely UK',
  any_but_foreign_cctld: 'all but other countries’ endings',
};

/**
 * How much of the list is in the UK, and what the non-UK filter would leave out. It covers all
 * contacts, so it is hidden for filtered lists and for empty workspaces.
 */
export function UkViewCard({ onChoose }: { onChoose: (uk: UkClass) => void }) {
  const { data, error, isPending } = useQuery({
    ...queryOptionsFor(getUkView),
    staleTime: 60_000,
    // New figures are being counted.
    refetchInterval: ({ state }) => (state.data?.isOld ? 3000 : false),
  });
  const { data: stats } = useQuery(statsOptions);
  if (stats?.totalEmails === 0) return null;
  if (isPending) return <Counting />;
  if (error && !data) {
    return (
      <section className={classes.card} aria-label="UK view">
        <ErrorLine title="The UK classes could not be counted." error={error} />
      </section>
    );
  }
  const total = data ? order.reduce((sum, one) => sum + data.contacts[one], 0) : 0;
  if (!data || total === 0) return null;
  return (
    <section className={classes.card} aria-label="UK view">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: on a phone it scrolls sideways, and must be reachable by keyboard */}
      <div className={classes.line} tabIndex={0}>
        <SegmentBar
          label="UK class of all contacts"
          legend="inline"
          height={8}
          withShares={false}
          segments={order.map((key) => ({
            key,
            label: ukClassLabels[key],
            colour: colours[key],
            value: data.contacts[key],
          }))}
        />
        <LeftOut view={data} onChoose={onChoose} />
      </div>
    </section>
  );
}

/**
 * The bar without its figures, at the same height, so that nothing below moves when they arrive.
 */
const Counting = () => (
  <section className={classes.card} aria-label="UK view" aria-busy>
    <div className={classes.line}>
      <div className={classes.bar} />
      <Skeleton height={10} width={480} radius={5} className={classes.blank} aria-hidden />
    </div>
  </section>
);

/** What the filter would leave out, and how much of that may well be British. In one line. */
function LeftOut({ view, onChoose }: { view: UkView; onChoose: (uk: UkClass) => void }) {
  const { leftOut, policy, isOld } = view;
  const all = order.reduce((sum, one) => sum + leftOut[one], 0);
  const doubtful = (['likely_uk', 'global'] as const).filter((one) => leftOut[one] > 0);
  return (
    <p className={classes.words} title={`By the settings it keeps ${policyWords[policy]}.`}>
      Your UK filter would leave out {all === 0 ? 'none' : formatNumber(all)}
      {doubtful.length > 0 && ', of them '}
      {doubtful.map((one, place) => (
        <span key={one}>
          {place > 0 && ', '}
          <UnstyledButton className={classes.link} onClick={() => onChoose(one)}>
            {formatNumber(leftOut[one])} {ukClassLabels[one].toLowerCase().replace('uk', 'UK')}
          </UnstyledButton>
        </span>
      ))}
      {isOld && '. Counting anew…'}
    </p>
  );
}
