import { SegmentedControl } from '@mantine/core';
import {
  IconDeviceDesktop,
  IconDeviceMobile,
  IconDeviceTablet,
  IconRobot,
  IconWorld,
} from '@tabler/icons-react';
import { useState } from 'react';
import type { Device, MailProgram } from '#features/tracking/rules/agents.ts';
import { Card } from '#platform/web/components/card.tsx';
import { ErrorLine } from '#platform/web/components/states.tsx';
import type { Icon } from '#platform/web/icon.ts';
import type { Campaign, CampaignReport } from '../../contract.ts';
import { type BarItem, BarList } from './bar-list.tsx';
import classes from './report.module.css';
import { useReport } from './use-report.ts';

const kinds: Record<Device | 'machine', { label: string; icon: Icon }> = {
  phone: { label: 'Mobile', icon: IconDeviceMobile },
  desktop: { label: 'Desktop', icon: IconDeviceDesktop },
  tablet: { label: 'Tablet', icon: IconDeviceTablet },
  webmail: { label: 'Webmail', icon: IconWorld },
  machine: { label: 'Machines', icon: IconRobot },
};

const programs: Record<MailProgram, string> = {
  apple_mail: 'Apple Mail',
  outlook: 'Outlook',
  gmail: 'Gmail',
  yahoo_mail: 'Yahoo Mail',
  samsung_email: 'Samsung',
  thunderbird: 'Thunderbird',
  browser: 'In a browser',
  other: 'Other',
};

type Act = 'opened' | 'clicked';

interface DevicesCardProps {
  campaign: Campaign;
  withMachines: boolean;
}

/**
 * On what and in what people opened or clicked for the first time, and how many machines did alone.
 */
export function DevicesCard({ campaign, withMachines }: DevicesCardProps) {
  const { data, error } = useReport(campaign);
  const [act, setAct] = useState<Act>('opened');
  const machines = act === 'opened' ? campaign.machineOpened : campaign.machineClicked;
  const devices = devicesOf(data, act, withMachines ? machines : 0);
  const read = programsOf(data, act);
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
          onChange={(value) => setAct(value as Act)}
        />
      }
    >
      {error && <ErrorLine title="The devices could not be loaded" error={error} />}
      {data && devices.length === 0 && (
        <p className={classes.none}>
          {act === 'opened' ? 'Nobody has opened it yet.' : 'Nobody has clicked yet.'}
        </p>
      )}
      <BarList label="Devices" items={devices} all={sumOf(devices)} />
      {read.length > 0 && (
        <div className={classes.second}>
          <BarList label="Mail programs" items={read} all={sumOf(read)} tone="light" />
        </div>
      )}
    </Card>
  );
}

function devicesOf(report: CampaignReport | undefined, act: Act, machines: number): BarItem[] {
  const found = (report?.devices ?? []).map((one) => ({
    kind: one.device as Device | 'machine',
    people: one[act],
  }));
  return [...found, { kind: 'machine' as const, people: machines }]
    .filter(({ people }) => people > 0)
    .sort(byPeople)
    .map(({ kind, people }) => {
      const { label, icon: Drawn } = kinds[kind];
      return { key: kind, label, people, mark: <Drawn size={16} stroke={1.6} aria-hidden /> };
    });
}

/** The mail programs, most used first. What has no name comes last. */
const programsOf = (report: CampaignReport | undefined, act: Act): BarItem[] =>
  (report?.programs ?? [])
    .filter((one) => one[act] > 0)
    .map((one) => ({ key: one.program, label: programs[one.program], people: one[act] }))
    .sort(
      (one, other) => Number(one.key === 'other') - Number(other.key === 'other') || byPeople(one, other),
    );

const byPeople = (one: { people: number }, other: { people: number }) => other.people - one.people;

const sumOf = (items: readonly BarItem[]) => items.reduce((sum, { people }) => sum + people, 0);
