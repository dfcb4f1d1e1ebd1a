import { formatCount, formatNumber } from '#platform/web/format.ts';
import type { Campaign, CampaignCheck } from '../contract.ts';

type Speed = CampaignCheck['when']['speed'];

/** How fast a campaign leaves: “800 a minute, about 14 minutes”. */
export function speedInWords(speed: Speed, { spreadHours }: Pick<Campaign, 'spreadHours'>): string {
  // A limit may take longer than it is spread over.
  if (spreadHours !== null && (speed === null || speed.minutes <= spreadHours * 60))
    return `Evenly over ${formatCount(spreadHours, 'hour')}`;
  if (speed === null) return 'As fast as the mail server takes it';
  const { perMinute, perDay, minutes, isLeast } = speed;
  const rates = [
    ...(perMinute === null ? [] : [rateInWords(perMinute)]),
    ...(perDay === null ? [] : [`at most ${formatNumber(perDay)} a day`]),
  ];
  const rate = rates.length === 0 ? 'As fast as the mail server takes it' : rates.join(', ');
  if (rates.length === 0 && minutes === 0) return rate;
  const words = `${rate}, ${isLeast ? 'at least' : 'about'} ${lengthInWords(minutes)}`;
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const rateInWords = (perMinute: number): string =>
  perMinute >= 2
    ? `${formatNumber(Math.floor(perMinute))} a minute`
    : `${formatNumber(Math.max(1, Math.floor(perMinute * 60)))} an hour`;

/** “14 minutes”, “3 hours”, “5 days”. */
function lengthInWords(minutes: number): string {
  if (minutes < 90) return formatCount(Math.max(1, minutes), 'minute');
  const hours = Math.round(minutes / 60);
  return hours < 48 ? formatCount(hours, 'hour') : formatCount(Math.round(minutes / 1_440), 'day');
}
