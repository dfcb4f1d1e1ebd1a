import { IconAlertTriangle, IconBan, IconCheck } from '@tabler/icons-react';
import type { UseQueryResult } from '@tanstack/react-query';
import { Card } from '#platform/web/components/card.tsx';
import { TextLink } from '#platform/web/components/links.tsx';
import { ErrorLine, ErrorState } from '#platform/web/components/states.tsx';
import { formatCount, formatTime } from '#platform/web/format.ts';
import { type CampaignCheck, checkResults } from '../contract.ts';
import classes from './check.module.css';
import type { LinkCheck } from './use-link-check.ts';

type Check = CampaignCheck['checks'][number];

const marks = {
  block: { Icon: IconBan, said: 'Blocks sending' },
  advice: { Icon: IconAlertTriangle, said: 'To look at' },
  pass: { Icon: IconCheck, said: 'Passed' },
} as const satisfies Record<Check['result'], unknown>;

/** What was looked at: what blocks first, then what to look at, then what is in order. */
export function ChecksCard({
  check: { data, error, dataUpdatedAt },
  links,
}: {
  check: UseQueryResult<CampaignCheck>;
  links: LinkCheck;
}) {
  if (!data)
    return (
      <Card title="Checks">
        {error && <ErrorState title="The campaign could not be checked" error={error} />}
      </Card>
    );
  // Predicted bounces have a card of their own.
  const checks = [...data.checks, ...(links.data?.checks ?? [])].filter(({ key }) => key !== 'bounces');
  const sorted = checkResults.flatMap((result) => checks.filter((one) => one.result === result));
  return (
    <Card
      title="Checks"
      hint={inWords(checks)}
      action={<span className={classes.dim}>{`Run at ${formatTime(new Date(dataUpdatedAt))}`}</span>}
      flush
    >
      <ul className={classes.checks} aria-label="Checks">
        {sorted.map((one) => (
          <Line key={one.key} check={one} />
        ))}
      </ul>
      <LinksUnderWay links={links} />
    </Card>
  );
}

function LinksUnderWay({ links: { isLoading, error } }: { links: LinkCheck }) {
  if (isLoading)
    return (
      <p className={classes.underWay} aria-busy>
        Trying the links…
      </p>
    );
  if (!error) return null;
  return (
    <div className={classes.underWay}>
      <ErrorLine title="The links could not be tried" error={error} />
    </div>
  );
}

function Line({ check: { key, result, title, words, fix } }: { check: Check }) {
  const { Icon, said } = marks[result];
  return (
    <li data-result={result}>
      <Icon size={16} stroke={1.8} aria-label={said} role="img" />
      <span className={classes.title}>{title}</span>
      <span className={classes.words}>
        {words} {fix !== null && <b>{fix}</b>}
        {result !== 'pass' && key in places && <Place of={key as keyof typeof places} />}
      </span>
    </li>
  );
}

/** Where things are mended that are no part of the campaign. */
const places = {
  marketing_basis: { to: '/settings', hash: 'mailable', label: 'Whom you may mail' },
  postal_address: { to: '/settings', hash: 'sender', label: 'Sender settings' },
  dkim: { to: '/sender-domains', label: 'Sender domains' },
} as const;

function Place({ of }: { of: keyof typeof places }) {
  const { label, ...place } = places[of];
  return (
    <>
      {' '}
      <TextLink {...place}>{label}</TextLink>
    </>
  );
}

function inWords(checks: readonly Check[]): string {
  const many = (result: Check['result']) => checks.filter((one) => one.result === result).length;
  const blocking = many('block');
  const parts = [
    ...(blocking > 0
      ? [`${formatCount(blocking, 'fault')} that ${blocking === 1 ? 'blocks' : 'block'}`]
      : []),
    ...(many('advice') > 0 ? [`${many('advice')} to look at`] : []),
    `${many('pass')} passed`,
  ];
  return parts.join(', ');
}
