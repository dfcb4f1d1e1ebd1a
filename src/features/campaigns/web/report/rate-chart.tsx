import { useElementSize } from '@mantine/hooks';
import { type PointerEvent, useState } from 'react';
import { formatNumber, formatPercent, formatShare } from '#platform/web/format.ts';
import {
  hourTicks,
  type RatePoint,
  type RateSpan,
  rateAt,
  ratePoints,
  shareTicks,
} from '../../rules/rate.ts';
import classes from './report.module.css';

/** How the campaigns before were opened, to compare with. */
export interface EarlierLine {
  /** Which they are, as “last five”. */
  name: string;
  /** `opened` is a share here. */
  spans: readonly RateSpan[];
}

interface RateChartProps {
  spans: readonly RateSpan[];
  /** All who could: how many messages were sent. */
  of: number;
  /** Hours that show. */
  until: number;
  /** The last of them has not passed yet. */
  isLastOpen: boolean;
  earlier: EarlierLine | null;
}

const plotHeight = 180;
/** Below the lines: how many left in each hour. */
const barsHeight = 28;
const left = 44;

/**
 * Two lines of shares, a third of the campaigns before, and what left when. The arrow keys or the
 * pointer read them by the hour.
 */
export function RateChart({ spans, of, until, isLastOpen, earlier }: RateChartProps) {
  const { ref, width } = useElementSize();
  const [asked, setAsked] = useState<number | null>(null);
  const points = ratePoints(spans, until);
  const end = points.at(-1);
  const before = ratePoints(earlier?.spans ?? [], until);
  const own = of > 0 ? Math.max(end?.opened ?? 0, end?.clicked ?? 0) / of : 0;
  const ticks = shareTicks(Math.max(own, before.at(-1)?.opened ?? 0));
  const top = ticks.at(-1) ?? 1;
  const room = Math.max(0, width - left - 8);
  const x = (after: number) => left + (after / until) * room;
  const y = (share: number) => 8 + plotHeight - (share / top) * plotHeight;
  const line = (corners: readonly { after: number; share: number }[]) =>
    corners.map(({ after, share }, at) => `${at === 0 ? 'M' : 'L'}${x(after)},${y(share)}`).join('');
  const step = until > 48 ? 24 : 1;
  const shown = Math.min(asked ?? until, until);
  const then = formatShare(rateAt(before, shown).opened, 1);
  const compared = earlier ? `. Opened in the ${earlier.name} by then: ${then}` : '';
  const when = isLastOpen && shown === until ? 'So far' : whenInWords(shown / step, step);
  const words = `${when}: ${inWords(spans, rateAt(points, shown), of)}${compared}`;
  const follow = ({ clientX, currentTarget }: PointerEvent<HTMLInputElement>) => {
    const box = currentTarget.getBoundingClientRect();
    const share = Math.min(1, Math.max(0, (clientX - box.left) / box.width));
    setAsked(Math.round((share * until) / step) * step);
  };
  return (
    <div ref={ref} className={classes.chart}>
      <svg width={width} height={plotHeight + barsHeight + 36} aria-hidden>
        <Grid ticks={ticks} y={y} room={room} />
        <text className={classes.tick} x={left - 8} y={plotHeight + barsHeight + 8} textAnchor="end">
          Sent
        </text>
        <Bars spans={spans} x={x} until={until} />
        {hourTicks(until, room < 400 ? 4 : 8).map((after) => (
          <text
            key={after}
            className={classes.tick}
            x={x(after)}
            y={plotHeight + barsHeight + 30}
            textAnchor={after === 0 ? 'start' : x(after) > left + room - 16 ? 'end' : 'middle'}
          >
            {until > 48 ? `${after / 24} d` : `${after} h`}
          </text>
        ))}
        {earlier && (
          <path className={classes.line} data-line="earlier" d={line(sharesOf(before, 'opened', 1))} />
        )}
        <path className={classes.line} data-line="clicked" d={line(sharesOf(points, 'clicked', of))} />
        <path className={classes.line} data-line="opened" d={line(sharesOf(points, 'opened', of))} />
        {asked !== null && (
          <line
            className={classes.cross}
            x1={x(shown)}
            x2={x(shown)}
            y1={8}
            y2={plotHeight + barsHeight + 16}
          />
        )}
      </svg>
      <input
        type="range"
        className={classes.reader}
        style={{ left, width: room }}
        aria-label="Rates by time"
        aria-valuetext={words}
        min={0}
        max={until}
        step={step}
        value={shown}
        onChange={({ currentTarget }) => setAsked(Number(currentTarget.value))}
        onPointerMove={follow}
        onPointerLeave={() => setAsked(null)}
        onBlur={() => setAsked(null)}
      />
      <p className={classes.read}>{words}</p>
    </div>
  );
}

const sharesOf = (points: readonly RatePoint[], name: 'opened' | 'clicked', of: number) =>
  points.map((point) => ({ after: point.after, share: of > 0 ? point[name] / of : 0 }));

interface GridProps {
  ticks: readonly number[];
  y: (share: number) => number;
  room: number;
}

/** A level line for each round share. */
const Grid = ({ ticks, y, room }: GridProps) =>
  ticks.map((share) => (
    <g key={share}>
      <line className={classes.grid} x1={left} x2={left + room} y1={y(share)} y2={y(share)} />
      <text className={classes.tick} x={left - 8} y={y(share) + 4} textAnchor="end">
        {formatPercent(share)}
      </text>
    </g>
  ));

/** How many left in each span, to a scale of their own. */
function Bars({
  spans,
  x,
  until,
}: {
  spans: readonly RateSpan[];
  x: (after: number) => number;
  until: number;
}) {
  const most = Math.max(1, ...spans.map(({ sent }) => sent));
  const ground = 8 + plotHeight + 4 + barsHeight;
  return spans
    .filter(({ after, sent }) => sent > 0 && after < until)
    .map(({ after, hours, sent }) => {
      const height = Math.max(2, (sent / most) * barsHeight);
      const width = Math.max(2, x(Math.min(until, after + hours)) - x(after) - 2);
      return (
        <rect key={after} className={classes.left} x={x(after)} y={ground - height} {...{ width, height }} />
      );
    });
}

const whenInWords = (many: number, step: number) =>
  `After ${formatNumber(many)} ${step === 1 ? 'hour' : 'day'}${many === 1 ? '' : 's'}`;

function inWords(
  spans: readonly RateSpan[],
  { after, opened, clicked }: { after: number; opened: number; clicked: number },
  of: number,
): string {
  const sent = spans.filter((span) => span.after < after).reduce((total, span) => total + span.sent, 0);
  const share = (people: number) => `${formatNumber(Math.round(people))} (${formatShare(people, of)})`;
  return `${formatNumber(sent)} sent, ${share(opened)} opened, ${share(clicked)} clicked`;
}
