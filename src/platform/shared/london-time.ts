const clock = new Intl.DateTimeFormat('en-CA', {
  ...{ year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit' },
  hourCycle: 'h23',
  timeZone: 'Europe/London',
});

/** What the clocks in London show: `2026-11-24T10:00`. */
export function londonClock(at: Date): string {
  const part = Object.fromEntries(clock.formatToParts(at).map(({ type, value }) => [type, value]));
  return `${part.year}-${part.month}-${part.day}T${part.hour}:${part.minute}`;
}

/**
 * The moment at which the clocks in London show a time. In October an hour comes twice, and the
 * first is meant. In March an hour is left out: it is taken as the time an hour later. Null for
 * what is no time.
 */
export function londonMoment(wall: string): Date | null {
  const asUtc = Date.parse(`${wall}Z`);
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(wall) || Number.isNaN(asUtc)) return null;
  const inSummer = new Date(asUtc - 3_600_000);
  return londonClock(inSummer) === wall ? inSummer : new Date(asUtc);
}
