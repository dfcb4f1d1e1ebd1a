import { SegmentedControl } from '@mantine/core';
import {
  IconDeviceDesktop,
  IconDeviceMobile,
  IconDeviceTablet,
  IconRobot,
  IconWorld,
} from '@tabler/icons-react';
import { useState } from 'react';
import type { Device } from '#features/tracking/rules/agents.ts';
import { Card } from '#platform/web/components/card.tsx';
import { ErrorLine } from '#platform/web/components/states.tsx';
import { formatNumber, formatShare } from '#platform/web/format.ts';
import type { Icon } from '#platform/web/icon.ts';
import type { Campaign } from '../../contract.ts';
import classes from './report.module.css';
import { useReport } from './use-report.ts';

const kinds: Record<Device | 'machine', { label: string; icon: Icon }> = {
  phone: { label: 'Mobile', icon: IconDeviceMobile },
  desktop: { label: 'Desktop', icon: IconDeviceDesktop },
  tablet: { label: 'Tablet', icon: IconDeviceTablet },
  webmail: { label: 'Webmail', icon: IconWorld },
  machine: { label: 'Machines', icon: IconRobot },
};

interface DevicesCardProps {
  campaign: Campaign;
  withMachines: boolean;
}

/** On what people opened or clicked for the first time, and how many machines did alone. */
export function DevicesCard({ campaign, withMachines }: DevicesCardProps) {
  const { data, error } = useReport(campaign);
  const [act, setAct] = useState<'opened' | 'clicked'>('opened');
  const machines = act === 'opened' ? campaign.machineOpened : campaign.machineClicked;
  const found = (data?.devices ?? []).map((one) => ({
    kind: one.device as Device | 'machine',
    people: one[act],
  }));
  const lines = [...found, ...(withMachines ? [{ kind: 'machine' as const, people: machines }] : [])]
    .filter(({ people }) => people > 0)
    .sort((one, other) => other.people - one.people);
  const all = lines.reduce((sum, { people }) => sum + people, 0);
  return (
    <Card
      title="Devices"
      action={
        <SegmentedControl
          size="xs"
          aria-label="Devices by"
          data={[
            { value: 'opened', label: 'Opens' },
            { value: 'clicked', label: 'Clicks' },
          ]}
          value={act}
          onChange={(value) => setAct(value as 'opened' | 'clicked')}
        />
      }
    >
      {error && <ErrorLine title="The devices could not be loaded" error={error} />}
      {data && lines.length === 0 && (
        <p className={classes.none}>
          {act === 'opened' ? 'Nobody has opened it yet.' : 'Nobody has clicked yet.'}
        </p>
      )}
      <ul className={classes.devices}>
        {lines.map(({ kind, people }) => {
          const { label, icon: Drawn } = kinds[kind];
          return (
            <li key={kind} title={`${formatNumber(people)} of ${formatNumber(all)}`}>
              <Drawn size={16} stroke={1.6} aria-hidden />
              <span>{label}</span>
              <span className={classes.track} aria-hidden>
                <span data-kind={kind} style={{ width: `${(100 * people) / all}%` }} />
              </span>
              <span className={classes.amount}>{formatNumber(people)}</span>
              <span className={classes.part}>{formatShare(people, all)}</span>
            </li>
          );
        })}
      </ul>
    </Card>
  );
}
