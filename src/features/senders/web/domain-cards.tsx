import type { ReactNode } from 'react';
import { Card } from '#platform/web/components/card.tsx';
import { DateText } from '#platform/web/components/date-text.tsx';
import { Mono } from '#platform/web/components/mono.tsx';
import { StatusBadge } from '#platform/web/components/status-badge.tsx';
import type { SenderDomain } from '../contract.ts';
import { CheckResult, Holds, names } from './marks.tsx';
import classes from './senders.module.css';

interface RowProps {
  title: string;
  mark: ReactNode;
  children: ReactNode;
}

const Row = ({ title, mark, children }: RowProps) => (
  <li className={classes.row}>
    <div className={classes.rowHead}>
      <span className={classes.rowTitle}>{title}</span>
      {mark}
    </div>
    <div className={classes.dim}>{children}</div>
  </li>
);

/** What DNS says, subject by subject. */
export const ChecksCard = ({ data }: { data: SenderDomain }) => (
  <Card title="What DNS says" hint="Read again by itself, every day">
    <ul className={classes.rows}>
      {data.checks.map(({ name, result, words, found }) => (
        <Row key={name} title={names[name]} mark={<CheckResult result={result} />}>
          {words}
          {(result === 'fail' || result === 'warning') &&
            found.map((value) => (
              <div key={value} className={classes.found}>
                <Mono>{value}</Mono>
              </div>
            ))}
        </Row>
      ))}
    </ul>
  </Card>
);

/** What the large mailbox providers require of those who send many mails. */
export function RequirementsCard({ data }: { data: SenderDomain }) {
  const missing = data.requirements.filter(({ holds }) => holds === false).length;
  return (
    <Card
      title="Gmail and Yahoo, for bulk senders"
      action={
        data.checkedAt !== null && (
          <StatusBadge
            status={missing === 0 ? 'active' : 'failed'}
            label={missing === 0 ? 'Nothing missing' : `${missing} missing`}
          />
        )
      }
    >
      <ul className={classes.rows}>
        {data.requirements.map(({ name, title, holds, words }) => (
          <Row key={name} title={title} mark={<Holds holds={holds} />}>
            {words}
          </Row>
        ))}
      </ul>
    </Card>
  );
}

const keyWords = { signing: 'Signs', waiting: 'Waits for its record', retired: 'Retired' } as const;
const keyTones = { signing: 'success', waiting: 'warning', retired: 'neutral' } as const;

/** The DKIM keys of a domain. */
export const KeysCard = ({ data }: { data: SenderDomain }) => (
  <Card title="DKIM keys" hint="RSA, 2048 bits">
    <ul className={classes.rows}>
      {data.keys.map(({ selector, state, madeAt, keptUntil }) => (
        <Row
          key={selector}
          title={selector}
          mark={<StatusBadge status={state} label={keyWords[state]} tone={keyTones[state]} />}
        >
          Made <DateText value={madeAt} />
          {keptUntil !== null && (
            <>
              , published until <DateText value={keptUntil} />
            </>
          )}
        </Row>
      ))}
    </ul>
  </Card>
);
