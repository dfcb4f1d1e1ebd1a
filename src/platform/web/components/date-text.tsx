import { Tooltip } from '@mantine/core';
import { formatFullDate, formatShortDate } from '../format.ts';

/** A date in a table: short on screen, full in the tooltip. `value` is an ISO date and time. */
export function DateText({ value }: { value: string }) {
  return (
    <Tooltip label={formatFullDate(value)}>
      <time dateTime={value}>{formatShortDate(value)}</time>
    </Tooltip>
  );
}
