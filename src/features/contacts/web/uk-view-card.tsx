import { Skeleton, UnstyledButton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { UkClass, UkPolicy } from '#features/addresses/contract.ts';
import { queryOptionsFor } from '#platform/web/api.ts';
import { SegmentBar } from '#platform/web/components/fate-bar.tsx';
import { formatNumber } from '#platform/web/format.ts';
import { getUkView } from '../contract.ts';
import { ukClassLabels } from './contact-words.ts';
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

/** How much of the list is in the UK, and what the non-UK filter would leave out. Not shown while there are no contacts. */
export function UkViewCard({ onChoose }: { onChoose: (uk: UkClass) => void }) {
  const { data, isPending } = useQuery({
    ...queryOptionsFor(getUkView),
    staleTime: 60_000,
    // New figures are on their way.
    refetchInterval: ({ state }) => (state.data?.isOld ? 3000 : false),
  });
  if (isPending) return <Skeleton height={58} />;
  const total = data ? order.reduce((sum, one) => sum + data.contacts[one], 0) : 0;
  if (!data || total === 0) return null;
  const leftOut = order.reduce((sum, one) => sum + data.leftOut[one], 0);
  return (
    <section className={classes.card} aria-label="UK view">
      <SegmentBar
        label="UK class of valid contacts"
        legend="inline"
        segments={order.map((key) => ({
          key,
          label: ukClassLabels[key],
          colour: colours[key],
          value: data.contacts[key],
        }))}
      />
      <p className={classes.words}>
        {leftOut === 0
          ? `The non-UK filter (${policyWords[data.policy]}) would leave out none of them.`
          : `The non-UK filter (${policyWords[data.policy]}) would leave out ${formatNumber(leftOut)}`}
        {leftOut > 0 && data.leftOut.likely_uk + data.leftOut.global > 0 && (
          <>
            , among them{' '}
            {(['likely_uk', 'global'] as const)
              .filter((one) => data.leftOut[one] > 0)
              .map((one, place) => (
                <span key={one}>
                  {place > 0 && ' and '}
                  <UnstyledButton className={classes.link} onClick={() => onChoose(one)}>
                    {formatNumber(data.leftOut[one])} {ukClassLabels[one].toLowerCase().replace('uk', 'UK')}
                  </UnstyledButton>
                </span>
              ))}
          </>
        )}
        {leftOut > 0 && '.'}
        {data.isOld && ' Counting anew…'}
      </p>
    </section>
  );
}
