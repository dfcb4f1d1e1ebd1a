import { Skeleton, Timeline, Tooltip } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Fragment, useId } from 'react';
import { getTimeline, mostEvents } from '#features/timeline/contract.ts';
import type { AnyEvent } from '#platform/shared/contact-event.ts';
import { queryOptionsFor } from '#platform/web/api.ts';
import { ErrorLine } from '#platform/web/components/states.tsx';
import { useLate } from '#platform/web/components/use-late.ts';
import type { AnyEventTellers, EventPart } from '#platform/web/event-words.ts';
import { formatFullDate, formatMoment, formatShortDate } from '#platform/web/format.ts';
import { useFeatures } from '#platform/web/router.tsx';
import classes from './contact-timeline.module.css';
import { eventWords } from './timeline-words.ts';

/** The words of all features, fetched once. */
function useEventTellers(): AnyEventTellers | undefined {
  const features = useFeatures();
  const { data } = useQuery({
    queryKey: ['words of events'],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async () => {
      const loaded = await Promise.all(features.map(({ eventWords }) => eventWords?.()));
      return Object.assign({}, ...loaded.map((one) => one?.default)) as AnyEventTellers;
    },
  });
  return data;
}

/** What happened to a contact, newest first. */
export function ContactTimeline({ id }: { id: number }) {
  const { data, error, isPending } = useQuery(queryOptionsFor(getTimeline, { params: { id } }));
  const tellers = useEventTellers();
  const late = useLate(isPending);
  const heading = useId();
  return (
    <section className={classes.section} aria-labelledby={heading}>
      <div className={classes.head}>
        <h3 id={heading} className={classes.heading}>
          Timeline
        </h3>
        {data && (
          <Tooltip label={formatFullDate(data.lastActivityAt)}>
            <span className={classes.dim}>
              Last activity <time dateTime={data.lastActivityAt}>{formatShortDate(data.lastActivityAt)}</time>
            </span>
          </Tooltip>
        )}
      </div>
      {data && tellers ? (
        <Events items={data.items} tellers={tellers} labelledBy={heading} />
      ) : isPending || data ? (
        late && <Waiting />
      ) : (
        <ErrorLine title="What happened could not be loaded." error={error} />
      )}
      {data && !data.isAll && (
        <p className={`${classes.dim} ${classes.older}`}>
          These are the newest {mostEvents}. What is older is not shown.
        </p>
      )}
    </section>
  );
}

interface EventsProps {
  items: readonly AnyEvent[];
  tellers: AnyEventTellers;
  labelledBy: string;
}

function Events({ items, tellers, labelledBy }: EventsProps) {
  return (
    <Timeline bulletSize={22} lineWidth={1} role="list" aria-labelledby={labelledBy}>
      {items.map((event, place) => {
        const { icon: EventIcon, tone, title, second } = eventWords(tellers, event);
        return (
          <Timeline.Item
            // Nothing else tells two events of a kind at the same moment apart.
            key={`${event.at} ${event.kind} ${items.length - place}`}
            role="listitem"
            className={classes.item}
            classNames={{ itemBullet: classes.bullet }}
            data-tone={tone}
            bullet={<EventIcon size={14} stroke={1.6} aria-hidden />}
          >
            <div className={classes.line}>
              <span className={classes.title}>{title}</span>
              <Tooltip label={formatFullDate(event.at)}>
                <time dateTime={event.at} className={classes.time}>
                  {formatMoment(event.at)}
                </time>
              </Tooltip>
            </div>
            <SecondLine parts={second} />
          </Timeline.Item>
        );
      })}
    </Timeline>
  );
}

function SecondLine({ parts }: { parts: readonly EventPart[] }) {
  if (parts.length === 0) return null;
  return (
    <p className={classes.dim}>
      {parts.map(({ text, to, search = {} }, place) => (
        <Fragment key={text}>
          {place > 0 && ' · '}
          {to === undefined ? (
            text
          ) : (
            <Link to={to} search={search} className={classes.link}>
              {text}
            </Link>
          )}
        </Fragment>
      ))}
    </p>
  );
}

const Waiting = () => (
  <div className={classes.waiting} role="status" aria-label="Loading what happened">
    {['70%', '60%', '65%'].map((width) => (
      <Skeleton key={width} height={10} width={width} />
    ))}
  </div>
);
