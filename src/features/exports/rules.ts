const londonDay = new Intl.DateTimeFormat('en-CA', { timeZone: 'Europe/London', dateStyle: 'short' });

/**
 * `contacts-2026-03-09.csv`, by London's calendar. One of several parts:
 * `contacts-2026-03-09-part-001.csv`.
 */
export function exportFileName(now: Date, ending: string, part?: { number: number; of: number }): string {
  const day = londonDay.format(now);
  if (!part) return `contacts-${day}.${ending}`;
  const digits = Math.max(3, String(part.of).length);
  return `contacts-${day}-part-${String(part.number).padStart(digits, '0')}.${ending}`;
}
