import { Tabs } from '@mantine/core';
import { IconShieldCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { verificationSummary } from '#features/verification/contract.ts';
import { useVerify } from '#features/verification/web/index.ts';
import { queryOptionsFor } from '#platform/web/api.ts';
import { AsyncButton } from '#platform/web/components/async-button.tsx';
import { Page } from '#platform/web/components/page.tsx';
import { useMay } from '#platform/web/current-user.ts';
import { formatNumber } from '#platform/web/format.ts';
import { useUrlState } from '#platform/web/url-state.ts';
import { Corrections } from './corrections.tsx';
import { Duplicates } from './duplicates.tsx';
import { History } from './history.tsx';
import classes from './review.module.css';
import { reviewSearch, type Tab, tabs } from './review-search.ts';
import { Runs } from './runs.tsx';
import { StandingPicture } from './standing-picture.tsx';

const labels: Record<Tab, string> = {
  corrections: 'Corrections',
  duplicates: 'Duplicate people',
  history: 'Past decisions',
  runs: 'Verifications',
};

/** What a verification found that a person has to decide. */
export default function ReviewPage() {
  const [state, change] = useUrlState(reviewSearch);
  const summary = useQuery(queryOptionsFor(verificationSummary));
  const mayEdit = useMay('editor');
  const verify = useVerify();
  const tab: Tab = state.run === undefined ? state.tab : 'runs';
  const counts: Partial<Record<Tab, number>> = {
    ...(summary.data
      ? { corrections: summary.data.suggestions, duplicates: summary.data.sharedMailboxes }
      : {}),
  };
  return (
    <Page
      title="Review"
      purpose="What the last verification found, for you to decide. Nothing is changed by itself."
      actions={
        mayEdit && (
          <AsyncButton
            leftSection={<IconShieldCheck size={16} stroke={1.6} />}
            onClick={() => verify({ filter: {} })}
          >
            Verify all contacts
          </AsyncButton>
        )
      }
    >
      <StandingPicture summary={summary} />
      <Tabs
        className={classes.tabs}
        value={tab}
        onChange={(next) =>
          change({
            ...{ tab: tabs.find((one) => one === next) ?? 'corrections', page: 1 },
            ...{ from: undefined, to: undefined, run: undefined, correction: undefined },
          })
        }
      >
        <Tabs.List className={classes.tabList}>
          {tabs.map((one) => (
            <Tabs.Tab key={one} value={one}>
              {labels[one]}
              {counts[one] !== undefined && (
                <span className={classes.count}>{formatNumber(counts[one] ?? 0)}</span>
              )}
            </Tabs.Tab>
          ))}
        </Tabs.List>
      </Tabs>
      {tab === 'corrections' && <Corrections state={state} change={change} mayEdit={mayEdit} />}
      {tab === 'duplicates' && <Duplicates state={state} change={change} mayEdit={mayEdit} />}
      {tab === 'history' && <History state={state} change={change} mayEdit={mayEdit} />}
      {tab === 'runs' && <Runs state={state} change={change} />}
    </Page>
  );
}
