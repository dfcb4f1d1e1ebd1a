import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { type ApiError, call } from '#platform/web/api.ts';
import { AddressText } from '#platform/web/components/address-text.tsx';
import { Card } from '#platform/web/components/card.tsx';
import { TextButton } from '#platform/web/components/links.tsx';
import { ErrorLine } from '#platform/web/components/states.tsx';
import { capitalise, formatCount } from '#platform/web/format.ts';
import { previewSegment } from '../contract.ts';
import { type Draft, rulesOf } from './draft.ts';
import classes from './segments.module.css';
import type { Preview } from './use-figures.ts';

interface SampleCardProps {
  draft: Draft;
  /** The figures of these rules, with the first sample. */
  preview: Preview | undefined;
  onWhy: (contact: Preview['sample'][number]) => void;
}

/** Ten of the contacts that the rules mean, and others on demand. */
export function SampleCard({ draft, preview, onWhy }: SampleCardProps) {
  const rules = JSON.stringify(rulesOf(draft));
  const [seed, setSeed] = useState(1);
  useEffect(() => setSeed(1), [rules]);
  const other = useOtherSample(rules, seed, preview);
  const sample = (seed === 1 ? preview : other.data)?.sample;
  const hasMore = (preview?.total.count ?? 0) > (preview?.sample.length ?? 0);
  return (
    <Card
      title="Sample"
      hint={sample && sample.length > 0 && `${sample.length} at random`}
      action={
        hasMore && (
          <TextButton disabled={other.isFetching} onClick={() => setSeed((before) => before + 1)}>
            Another sample
          </TextButton>
        )
      }
      flush
    >
      {other.error && (
        <div className={classes.sampleNote}>
          <ErrorLine title="No other sample could be loaded." error={other.error} />
        </div>
      )}
      {sample ? (
        <Contacts sample={sample} onWhy={onWhy} />
      ) : (
        <div className={classes.sampleNote}>{!other.error && <Waiting />}</div>
      )}
    </Card>
  );
}

/** Taken from the estimate where that knows ten: it takes no longer for millions. */
const useOtherSample = (rules: string, seed: number, preview: Preview | undefined) =>
  useQuery<Preview, ApiError>({
    queryKey: [previewSegment.path, rules, 'sample', seed],
    queryFn: ({ signal }) =>
      call(previewSegment, {
        body: { segmentRules: JSON.parse(rules), seed, quick: (preview?.sample.length ?? 0) >= 10 },
        signal,
      }),
    enabled: seed > 1 && preview !== undefined,
    gcTime: 0,
  });

const Waiting = () => (
  <>
    <Skeleton height={10} width="70%" radius={4} />
    <Skeleton height={10} width="50%" radius={4} mt={12} />
  </>
);

function Contacts({ sample, onWhy }: Pick<SampleCardProps, 'onWhy'> & Pick<Preview, 'sample'>) {
  if (sample.length === 0) return <p className={classes.sampleNote}>Nobody fits these rules now.</p>;
  return (
    <ul className={classes.sample} aria-label={formatCount(sample.length, 'contact')}>
      {sample.map((contact) => (
        <li key={contact.id}>
          <span className={classes.who}>
            <AddressText address={contact.address} />
            <span className={classes.about}>
              {[contact.name, contact.source, capitalise(contact.status)].filter(Boolean).join(', ')}
            </span>
          </span>
          <TextButton label={`Why ${contact.address} is in`} onClick={() => onWhy(contact)}>
            Why?
          </TextButton>
        </li>
      ))}
    </ul>
  );
}
