/** A link of a message as it is counted, at each place where it stands. */
interface CountedLink {
  url: string;
  number: number;
  clicks: number;
  machineClicks: number;
}

/** An address of a message and how often it was followed, wherever it stands. */
export interface LinkClicks {
  url: string;
  numbers: number[];
  clicks: number;
}

/** The links of a report by their addresses, the most followed first. */
export function linkClicks(links: readonly CountedLink[], withMachines: boolean): LinkClicks[] {
  const found = new Map<string, LinkClicks>();
  for (const { url, number, clicks, machineClicks } of links) {
    const link = found.get(url) ?? { url, numbers: [], clicks: 0 };
    link.numbers.push(number);
    link.clicks += clicks + (withMachines ? machineClicks : 0);
    found.set(url, link);
  }
  return [...found.values()].sort((one, other) => other.clicks - one.clicks);
}
