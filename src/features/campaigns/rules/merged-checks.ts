import { variantName } from '../contract/ab-test.ts';
import { type CampaignCheck, checkResults } from '../contract.ts';

type Check = CampaignCheck['checks'][number];

/**
 * The checks of the variants of a test as one list. Each line is as bad as it is in the worst
 * variant, and names those that it is about.
 */
export function mergedChecks(variants: readonly (readonly Check[])[]): Check[] {
  const keys = new Set(variants.flatMap((checks) => checks.map(({ key }) => key)));
  return [...keys].map((key) =>
    merged(variants.map((checks) => checks.find((one) => one.key === key) ?? null)),
  );
}

function merged(found: readonly (Check | null)[]): Check {
  const worst = checkResults.find((result) => found.some((one) => one?.result === result));
  const named = found.flatMap((check, place) =>
    check && check.result === worst ? [{ check, name: variantName(place + 1) }] : [],
  );
  const [first] = named as [{ check: Check; name: string }];
  const byWords = Map.groupBy(named, ({ check }) => check.words);
  if (byWords.size === 1 && named.length === found.length) return first.check;
  const words = [...byWords].map(([words, own]) => `${namesOf(own.map(({ name }) => name))}: ${words}`);
  return { ...first.check, words: words.join(' ') };
}

const namesOf = (names: readonly string[]): string =>
  names.length === 1
    ? `Variant ${names[0]}`
    : `Variants ${new Intl.ListFormat('en-GB', { type: 'conjunction' }).format(names)}`;
