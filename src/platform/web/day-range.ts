/** Days from one to another as they stand in an address, both included and either of them absent: `2026-03-01/2026-03-31`. */

const full = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
});
const wordOf = (day: string): string => full.format(new Date(`${day}T00:00:00Z`));

/** "1 Mar 2026 to 31 Mar 2026", "from 1 Mar 2026", "up to 31 Mar 2026", "1 Mar 2026". */
export function dayRangeWords(range: string): string {
  const [from = '', to = ''] = range.split('/');
  if (from === to) return from === '' ? '' : wordOf(from);
  if (to === '') return `from ${wordOf(from)}`;
  if (from === '') return `up to ${wordOf(to)}`;
  return `${wordOf(from)} to ${wordOf(to)}`;
}

/** A day by the calendar of the device: `2026-03-01`. */
function dayOf(date: Date): string {
  const two = (part: number) => String(part).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** The stretches up to now that people ask for most. */
export function recentRanges(now: Date): { value: string; label: string }[] {
  const back = (days: number) => dayOf(new Date(now.getFullYear(), now.getMonth(), now.getDate() - days));
  return [
    { value: `${back(0)}/${back(0)}`, label: 'Today' },
    { value: `${back(6)}/`, label: 'Last 7 days' },
    { value: `${back(29)}/`, label: 'Last 30 days' },
    { value: `${now.getFullYear()}-01-01/`, label: 'This year' },
  ];
}
