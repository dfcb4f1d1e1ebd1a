import { SegmentedControl } from '@mantine/core';
import { useRef, useState } from 'react';
import { Card } from '#platform/web/components/card.tsx';
import { TextButton } from '#platform/web/components/links.tsx';
import { ErrorLine } from '#platform/web/components/states.tsx';
import { formatCount, formatNumber, formatShare } from '#platform/web/format.ts';
import { variantName } from '../../contract/ab-test.ts';
import type { Campaign } from '../../contract.ts';
import { type LinkClicks, linkClicks } from '../../rules/link-clicks.ts';
import { reachedBy } from '../../rules/rate.ts';
import type { AskRecipients } from './ask-recipients.ts';
import { BreakdownExportButton } from './breakdown-export-button.tsx';
import { LinkPicture } from './link-picture.tsx';
import classes from './links.module.css';
import { useBreakdown } from './use-breakdown.ts';
import { useReport } from './use-report.ts';

interface LinksCardProps {
  campaign: Campaign;
  withMachines: boolean;
  onAsk: AskRecipients;
}

/**
 * The links of the email and how often they were followed, as a table and on a picture of the
 * email. Nothing where it has none.
 */
export function LinksCard({ campaign, withMachines, onAsk }: LinksCardProps) {
  const { data, error } = useReport(campaign);
  const { data: breakdown } = useBreakdown(campaign);
  const [variant, setVariant] = useState(1);
  const [marked, setMarked] = useState<string | null>(null);
  const picture = useRef<HTMLDivElement>(null);
  if (error) return <ErrorLine title="The links could not be loaded" error={error} />;
  const links = linkClicks(data?.links ?? [], withMachines);
  if (links.length === 0) return null;
  const all = links.reduce((sum, { clicks }) => sum + clicks, 0);
  const variants = variantsOf(campaign);
  const peopleOf = (address: string) => {
    if (!breakdown?.countedAt) return null;
    const counted = breakdown.links.find(({ url }) => url === address);
    return counted?.[withMachines ? 'withMachines' : 'people'] ?? 0;
  };
  const find = (url: string) => {
    setMarked(url);
    picture.current
      ?.querySelector(`[data-address="${CSS.escape(url)}"]`)
      ?.scrollIntoView({ block: 'nearest' });
  };
  return (
    <Card
      title="Links"
      flush
      action={
        <span className={classes.actions}>
          {variants.length > 1 && (
            <SegmentedControl
              size="xs"
              aria-label="Variant in the picture"
              data={variants.map((number) => ({ value: String(number), label: variantName(number) }))}
              value={String(variant)}
              onChange={(value) => setVariant(Number(value))}
            />
          )}
          <BreakdownExportButton campaign={campaign} what="links" />
        </span>
      }
    >
      <div className={classes.links}>
        <table className={classes.table}>
          <thead>
            <tr>
              <th scope="col">Link</th>
              <th scope="col">Share of clicks</th>
              <th scope="col">People</th>
              <th scope="col">Click rate</th>
            </tr>
          </thead>
          <tbody>
            {links.map((link) => (
              <Line
                key={link.url}
                link={link}
                people={peopleOf(link.url)}
                reached={reachedBy(campaign)}
                all={all}
                isMarked={marked === link.url}
                onMark={setMarked}
                onFind={() => find(link.url)}
                onAsk={() => onAsk({ link: link.url })}
              />
            ))}
          </tbody>
        </table>
        <LinkPicture
          ref={picture}
          id={campaign.id}
          variant={variant}
          links={links}
          all={all}
          marked={marked}
          onMark={setMarked}
        />
      </div>
    </Card>
  );
}

/** The variants with a message of their own, after the first. */
const variantsOf = ({ abTest }: Campaign): number[] => [
  1,
  ...(abTest?.variants ?? []).flatMap(({ content }, place) => (content === undefined ? [] : [place + 2])),
];

interface LineProps {
  link: LinkClicks;
  /** How many people followed it. Null: not counted yet. */
  people: number | null;
  reached: number;
  all: number;
  isMarked: boolean;
  onMark: (url: string | null) => void;
  onFind: () => void;
  onAsk: () => void;
}

function Line({ link: { url, clicks }, people, reached, all, isMarked, onMark, onFind, onAsk }: LineProps) {
  return (
    <tr
      data-marked={isMarked || undefined}
      onMouseEnter={() => onMark(url)}
      onMouseLeave={() => onMark(null)}
      onFocus={() => onMark(url)}
      onBlur={() => onMark(null)}
    >
      <td>
        <TextButton onClick={onFind}>{url.replace(/^https?:\/\//, '')}</TextButton>
      </td>
      <td>
        <span className={classes.share} title={formatCount(clicks, 'click')}>
          <span className={classes.track} aria-hidden>
            <span style={{ width: `${all > 0 ? (100 * clicks) / all : 0}%` }} />
          </span>
          {formatShare(clicks, all)}
        </span>
      </td>
      <td>
        {people ? (
          <TextButton onClick={onAsk} label={`Who followed ${url}`}>
            {formatNumber(people)}
          </TextButton>
        ) : (
          (people ?? '–')
        )}
      </td>
      <td>{people === null ? '–' : formatShare(people, reached)}</td>
    </tr>
  );
}
