import { useElementSize } from '@mantine/hooks';
import { type PointerEvent, useState } from 'react';
import { formatNumber, formatPercent, formatShare } from '#platform/web/format.ts';
import { hourTicks, type RateSpan, rateAt, ratePoints, shareTicks } from '../../rules/rate.ts';
import classes from './report.module.css';

interface RateChartProps {
  spans: readonly RateSpan[];
  /** All who could: how many messages were sent. */
  of: number;
  /** Hours that show. */
  until: number;
}

const plotHeight = 180;
/** Below the lines: how many left in each hour. */
const barsHeight = 28;
const left = 44;

/** Two lines of shares, and what left when. The arrow keys or the pointer read them by the hour. */
export function RateChart({ spans, of, until }: RateChartProps) {
  const { ref, width } = useElementSize();
  const [asked, setAsked] = useState<number | null>(null);
  const points = ratePoints(spans, until);
  const end = points.at(-1);
  const ticks = shareTicks(of > 0 ? Math.max(end?.opened ?? 0, end?.clicked ?? 0) / of : 0);
  const top = ticks.at(-1) ?? 1;
  const room = Math.max(0, width - left - 8);
  const x = (after: number) => left + (after / until) * room;
  const y = (people: number) => 8 + plotHeight - (of > 0 ? people / of / top : 0) * plotHeight;
  const line = (name: 'opened' | 'clicked') =>
    points.map((point, at) => `${at === 0 ? 'M' : 'L'}${x(point.after)},${y(point[name])}`).join('');
  const step = until > 48 ? 24 : 1;
  const shown = Math.min(asked ?? until, until);
  const words = inWords(spans, rateAt(points, shown), of, step);
  const follow = ({ clientX, currentTarget }: PointerEvent<HTMLInputElement>) => {
    const box = currentTarget.getBoundingClientRect();
    const share = Math.min(1, Math.max(0, (clientX - box.left) / box.width));
    setAsked(Math.round((share * until) / step) * step);
  };
  return (
    <div ref={ref} className={classes.chart}>
      {width > 0 && (
        <svg width={width} height={plotHeight + barsHeight + 36} aria-hidden>
          {ticks.map((share) => (
            <g key={share}>
              <line
                className={classes.grid}
                x1={left}
                x2={left + room}
                y1={y(share * of)}
                y2={y(share * of)}
              />
              <text className={classes.tick} x={left - 8} y={y(share * of) + 4} textAnchor="end">
                {formatPercent(share)}
              </text>
            </g>
          ))}
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
          <path className={classes.line} data-line="clicked" d={line('clicked')} />
          <path className={classes.line} data-line="opened" d={line('opened')} />
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
      )}
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

function inWords(
  spans: readonly RateSpan[],
  { after, opened, clicked }: { after: number; opened: number; clicked: number },
  of: number,
  step: number,
): string {
  const many = after / step;
  const when = `After ${formatNumber(many)} ${step === 1 ? 'hour' : 'day'}${many === 1 ? '' : 's'}`;
  const sent = spans.filter((span) => span.after < after).reduce((total, span) => total + span.sent, 0);
  const share = (people: number) => `${formatNumber(people)} (${formatShare(people, of)})`;
  return `${when}: ${formatNumber(sent)} sent, ${share(opened)} opened, ${share(clicked)} clicked`;
}
