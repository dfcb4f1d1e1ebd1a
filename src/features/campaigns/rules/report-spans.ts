/** After so many hours, days are told and not hours. */
const hoursTold = 48;
const hourMs = 3_600_000;

/** What happened in an hour. */
export interface HourFigures {
  sent: number;
  opened: number;
  clicked: number;
  unsubscribed: number;
  machines: { opened: number; clicked: number };
}

/** What happened in one hour, or in a day of 24. */
export interface ReportSpan extends HourFigures {
  start: Date;
  hours: 1 | 24;
}

/**
 * The figures of hours as a report tells them: the first 48 hours from the first on, and then
 * days. Spans in which nothing happened are left out.
 */
export function spansOf(told: readonly (Partial<HourFigures> & { hour: Date })[]): ReportSpan[] {
  const first = Math.min(...told.map(({ hour }) => hour.getTime()));
  const spans = new Map<number, ReportSpan>();
  for (const { hour, sent = 0, opened = 0, clicked = 0, unsubscribed = 0, machines } of told) {
    const after = Math.round((hour.getTime() - first) / hourMs);
    const hours = after < hoursTold ? 1 : 24;
    const at = after < hoursTold ? after : hoursTold + 24 * Math.floor((after - hoursTold) / 24);
    const span = spans.get(at) ?? { start: new Date(first + at * hourMs), hours, ...nothing() };
    span.sent += sent;
    span.opened += opened;
    span.clicked += clicked;
    span.unsubscribed += unsubscribed;
    span.machines.opened += machines?.opened ?? 0;
    span.machines.clicked += machines?.clicked ?? 0;
    spans.set(at, span);
  }
  return [...spans.entries()].sort(([one], [other]) => one - other).map(([, span]) => span);
}

const nothing = (): HourFigures => ({
  ...{ sent: 0, opened: 0, clicked: 0, unsubscribed: 0 },
  machines: { opened: 0, clicked: 0 },
});
