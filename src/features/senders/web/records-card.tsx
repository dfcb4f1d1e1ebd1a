import { Button, CopyButton } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { Card } from '#platform/web/components/card.tsx';
import { Mono } from '#platform/web/components/mono.tsx';
import { WordBadge } from '#platform/web/components/status-badge.tsx';
import type { SenderDomain, SenderRecord } from '../contract.ts';
import { names, RecordState } from './marks.tsx';
import classes from './senders.module.css';

/** The records to paste at the company that keeps the domain's DNS. */
export const RecordsCard = ({ data }: { data: SenderDomain }) => (
  <Card title="DNS records" hint="Add these where the domain’s DNS is kept">
    <ul className={classes.rows}>
      {data.records.map((record) => (
        <RecordRow key={`${record.host} ${record.type}`} record={record} />
      ))}
    </ul>
  </Card>
);

function RecordRow({ record }: { record: SenderRecord }) {
  const { purpose, host, shortHost, type, value, words } = record;
  const name = `${names[purpose]}${record.selector === null ? '' : ` ${record.selector}`}`;
  return (
    <li className={classes.row}>
      <div className={classes.rowHead}>
        <span className={classes.rowTitle}>{name}</span>
        <WordBadge>{type}</WordBadge>
        <RecordState {...record} />
        <span className={classes.dim}>{words}</span>
      </div>
      <div className={classes.record}>
        <span className={classes.dim}>Host</span>
        <div className={classes.raw}>
          <Mono>{host}</Mono>
          {shortHost !== host && (
            <span className={classes.dim}>
              {' '}
              or <Mono>{shortHost}</Mono> where the panel adds the domain
            </span>
          )}
        </div>
        <Copy value={host} label={`Copy host of ${name}`} />
        <span className={classes.dim}>Value</span>
        <div className={classes.raw}>
          <Mono>{value}</Mono>
        </div>
        <Copy value={value} label={`Copy value of ${name}`} />
      </div>
      {record.strings.length > 1 && (
        <details className={classes.zone}>
          <summary>For a zone file: {record.strings.length} strings</summary>
          <div className={classes.record}>
            <span />
            <div className={classes.raw}>
              <Mono>{zoneLine(record)}</Mono>
            </div>
            <Copy value={zoneLine(record)} label={`Copy zone file line of ${name}`} />
          </div>
        </details>
      )}
    </li>
  );
}

const zoneLine = ({ host, strings }: SenderRecord): string =>
  `${host}. IN TXT ${strings.map((part) => `"${part}"`).join(' ')}`;

const Copy = ({ value, label }: { value: string; label: string }) => (
  <CopyButton value={value}>
    {({ copied, copy }) => (
      <Button
        size="xs"
        variant="default"
        aria-label={label}
        leftSection={copied ? <IconCheck size={14} stroke={1.6} /> : <IconCopy size={14} stroke={1.6} />}
        onClick={copy}
      >
        {copied ? 'Copied' : 'Copy'}
      </Button>
    )}
  </CopyButton>
);
