import { Skeleton } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import type { Ref } from 'react';
import { previewPage } from '#features/templates/rules/preview-page.ts';
import { queryOptionsFor } from '#platform/web/api.ts';
import { ErrorState } from '#platform/web/components/states.tsx';
import { usePhone } from '#platform/web/components/use-phone.ts';
import { formatNumber, formatShare } from '#platform/web/format.ts';
import { getPicture } from '../../contract.ts';
import type { LinkClicks } from '../../rules/link-clicks.ts';
import { apart } from './apart.ts';
import classes from './links.module.css';
import { useLinkBoxes } from './use-link-boxes.ts';

interface LinkPictureProps {
  ref: Ref<HTMLDivElement>;
  id: number;
  variant: number;
  links: readonly LinkClicks[];
  /** The clicks on all links. */
  all: number;
  /** The address that is pointed at, here or in the table. */
  marked: string | null;
  onMark: (url: string | null) => void;
}

/** A page that is as high as its window would grow with the frame, which is as high as the page. */
const ownHeight = '<style>html,body{height:auto!important;min-height:0!important}</style>';

/** As wide as a window on a desk. */
const pageWidth = 680;

/** What a badge has around its text, and the widest figure in it, in pixels. */
const badgeRim = 14;
const badgeLetter = 7.5;

/**
 * The email, drawn small, with the clicks on each of its links. Nothing runs in the frame; it has
 * our origin so that its links can be measured.
 */
export function LinkPicture({ ref, id, variant, links, all, marked, onMark }: LinkPictureProps) {
  const { data, error, refetch } = useQuery(
    queryOptionsFor(getPicture, { params: { id }, query: { variant } }),
  );
  const { ref: room, width } = useElementSize();
  const frame = useLinkBoxes();
  const phone = usePhone();
  const scale = Math.min(1, width / pageWidth);
  if (error)
    return <ErrorState title="The email could not be loaded" error={error} onRetry={() => void refetch()} />;
  if (data?.html === null) return null;
  const byNumber = new Map(links.flatMap((link) => link.numbers.map((number) => [number, link] as const)));
  const badges = apart(
    frame.boxes.flatMap(({ number, right, top }) => {
      const link = byNumber.get(number);
      if (!link) return [];
      const text = phone
        ? formatNumber(link.clicks)
        : `${formatNumber(link.clicks)} ${formatShare(link.clicks, all)}`;
      const at = { left: right * scale, top: Math.max(top, 12) * scale };
      return [{ link, ...at, width: badgeRim + badgeLetter * text.length }];
    }),
    pageWidth * scale,
  );
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also for those who use the keyboard.
    <section ref={ref} className={classes.picture} aria-label="Clicks on the email" tabIndex={0}>
      <div ref={room}>
        {data?.html === undefined ? (
          <Skeleton height={320} />
        ) : (
          <div className={classes.page} style={{ width: pageWidth * scale, height: frame.height * scale }}>
            <iframe
              ref={frame.ref}
              title="The email that was sent"
              sandbox="allow-same-origin"
              srcDoc={previewPage(data.html + ownHeight)}
              tabIndex={-1}
              aria-hidden
              inert
              scrolling="no"
              onLoad={frame.onLoad}
              style={{ width: pageWidth, height: frame.height, transform: `scale(${scale})` }}
            />
            {badges.map(({ link, left, top }, place) => {
              const words = `${formatNumber(link.clicks)} ${link.clicks === 1 ? 'click' : 'clicks'}`;
              return (
                <button
                  key={place}
                  type="button"
                  className={classes.badge}
                  style={{ left, top }}
                  aria-label={`${words}, ${formatShare(link.clicks, all)}: ${link.url}`}
                  data-address={link.url}
                  data-marked={marked === link.url || undefined}
                  data-none={link.clicks === 0 || undefined}
                  onMouseEnter={() => onMark(link.url)}
                  onMouseLeave={() => onMark(null)}
                  onFocus={() => onMark(link.url)}
                  onBlur={() => onMark(null)}
                >
                  {formatNumber(link.clicks)} <span>{formatShare(link.clicks, all)}</span>
                </button>
              );
            })}
          </div>
        )}
      </div>
    </section>
  );
}
