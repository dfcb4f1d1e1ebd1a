import { SegmentedControl } from '@mantine/core';
import { useState } from 'react';
import { Card } from '#platform/web/components/card.tsx';
import { ErrorLine } from '#platform/web/components/states.tsx';
import { formatShare } from '#platform/web/format.ts';
import type { Campaign, CampaignReport } from '../../contract.ts';
import { type RateSpan, reachedBy } from '../../rules/rate.ts';
import { type EarlierLine, RateChart } from './rate-chart.tsx';
import classes from './report.module.css';
import { useReport } from './use-report.ts';

const hourMs = 3_600_000;
const shownHours = 48;

interface RateCardProps {
  campaign: Campaign;
  withMachines: boolean;
}

/** How many have opened and clicked since the first message left. */
export function RateCard({ campaign, withMachines }: RateCardProps) {
  const { data, error, dataUpdatedAt } = useReport(campaign);
  const [range, setRange] = useState<'first' | 'all'>('first');
  const spans = spansOf(data?.hours ?? [], withMachines);
  const last = spans.at(-1);
  const known = last ? last.after + last.hours : 0;
  const first = data?.hours[0]?.hour;
  const age = first === undefined ? 0 : (dataUpdatedAt - Date.parse(first)) / hourMs;
  const whole = Math.max(known, 1, Math.min(Math.ceil(age), shownHours));
  const isLong = known > shownHours;
  const until = isLong && range === 'all' ? whole : Math.min(whole, shownHours);
  const sum = (name: 'opened' | 'clicked') => spans.reduce((total, span) => total + span[name], 0);
  const of = reachedBy(campaign);
  const earlier = data?.earlier && spans.length > 0 ? earlierOf(data.earlier, withMachines) : null;
  return (
    <Card
      title="Rate over time"
      hint={`share of ${of > campaign.delivered ? 'those reached' : 'delivered'}, ${until > shownHours ? 'days' : 'hours'} since sending`}
      action={
        <span className={classes.legend}>
          <span data-line="opened">
            Opened <b>{formatShare(sum('opened'), of)}</b>
          </span>
          <span data-line="clicked">
            Clicked <b>{formatShare(sum('clicked'), of)}</b>
          </span>
          {earlier && <span data-line="earlier">Opened, {earlier.name}</span>}
        </span>
      }
    >
      {error && <ErrorLine title="The rates could not be loaded" error={error} />}
      {data && spans.length === 0 && <p className={classes.none}>Nothing has left yet.</p>}
      {spans.length > 0 && <RateChart {...{ spans, of, until, earlier }} isLastOpen={age < until} />}
      {isLong && (
        <SegmentedControl
          size="xs"
          aria-label="How much time shows"
          data={[
            { value: 'first', label: 'First 48 hours' },
            { value: 'all', label: 'All days' },
          ]}
          value={range}
          onChange={(value) => setRange(value as 'first' | 'all')}
        />
      )}
    </Card>
  );
}

const numbers = ['', '', 'two', 'three', 'four', 'five'];

/** The campaigns before as a line of shares, and what they are called. */
function earlierOf(
  { campaigns, hours }: NonNullable<CampaignReport['earlier']>,
  withMachines: boolean,
): EarlierLine {
  const spans = hours.map(({ after, hours: length, opened, machines }) => ({
    ...{ after, hours: length, sent: 0, clicked: 0 },
    opened: opened + (withMachines ? machines.opened : 0),
  }));
  return { name: campaigns === 1 ? 'last campaign' : `last ${numbers[campaigns] ?? campaigns}`, spans };
}

/** The spans of a report, placed by their hours after the first. */
function spansOf(hours: CampaignReport['hours'], withMachines: boolean): RateSpan[] {
  const first = Date.parse(hours[0]?.hour ?? '');
  return hours.map(({ hour, hours: length, sent, opened, clicked, machines }) => ({
    after: Math.round((Date.parse(hour) - first) / hourMs),
    hours: length,
    sent,
    opened: opened + (withMachines ? machines.opened : 0),
    clicked: clicked + (withMachines ? machines.clicked : 0),
  }));
}
