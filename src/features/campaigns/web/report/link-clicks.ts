import type { CampaignReport } from '../../contract.ts';

/** An address of a message and how often it was followed, wherever it stands. */
export interface LinkClicks {
  url: string;
  numbers: number[];
  clicks: number;
}

/** The links of a report by their addresses, the most followed first. */
export function linkClicks(links: CampaignReport['links'], withMachines: boolean): LinkClicks[] {
  const found = new Map<string, LinkClicks>();
  for (const { url, number, clicks, machineClicks } of links) {
    const link = found.get(url) ?? { url, numbers: [], clicks: 0 };
    link.numbers.push(number);
    link.clicks += clicks + (withMachines ? machineClicks : 0);
    found.set(url, link);
  }
  return [...found.values()].sort((one, other) => other.clicks - one.clicks);
}
