import { Skeleton, Timeline, Tooltip } from '@mantine/core';
import {
  IconArrowBackUp,
  IconArrowMerge,
  IconBan,
  IconFileImport,
  IconPencilCheck,
  IconShieldCheck,
  IconTrash,
  IconUserCheck,
  IconUserPlus,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Fragment, useId } from 'react';
import { type ContactEvent, getTimeline, mostEvents } from '#features/timeline/contract.ts';
import { queryOptionsFor, words } from '#platform/web/api.ts';
import { TextButton } from '#platform/web/components/links.tsx';
import { useLate } from '#platform/web/components/use-late.ts';
import type { Icon } from '#platform/web/feature.ts';
import { formatFullDate, formatMoment, formatShortDate } from '#platform/web/format.ts';
import classes from './contact-timeline.module.css';
import { type EventIcon, type EventPart, eventWords } from './timeline-words.ts';

const icons: Record<EventIcon, Icon> = {
  added: IconUserPlus,
  imported: IconFileImport,
  verified: IconShieldCheck,
  suppressed: IconBan,
  lifted: IconUserCheck,
  corrected: IconPencilCheck,
  merged: IconArrowMerge,
  removed: IconTrash,
  back: IconArrowBackUp,
};

/** What happened to a contact, newest first. */
export function ContactTimeline({ id }: { id: number }) {
  const { data, error, isPending, refetch } = useQuery(queryOptionsFor(getTimeline, { params: { id } }));
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
      {data ? (
        <Events items={data.items} labelledBy={heading} />
      ) : isPending ? (
        late && <Waiting />
      ) : (
        <p className={classes.dim} role="alert">
          What happened could not be loaded. {words(error)}{' '}
          <TextButton onClick={() => void refetch()}>Try again</TextButton>
        </p>
      )}
      {data && !data.isAll && (
        <p className={`${classes.dim} ${classes.older}`}>
          These are the newest {mostEvents}. What is older is not shown.
        </p>
      )}
    </section>
  );
}

function Events({ items, labelledBy }: { items: readonly ContactEvent[]; labelledBy: string }) {
  return (
    <Timeline bulletSize={22} lineWidth={1} role="list" aria-labelledby={labelledBy}>
      {items.map((event, place) => {
        const { icon, tone, title, second } = eventWords(event);
        const EventIcon = icons[icon];
        return (
          <Timeline.Item
            // Two of a kind at the same moment are told apart by nothing else.
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
