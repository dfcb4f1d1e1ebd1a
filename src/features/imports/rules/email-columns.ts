/**
 * Another column is worth a word if it has more than this share of the used one's addresses, or any
 * at all when its heading says that it holds them: few people have a third address.
 */
const worthSaying = 0.05;
const saysMail = /e-?mail/i;

export interface OtherEmailColumn {
  index: number;
  name: string;
  addresses: number;
}

/**
 * The columns that hold addresses beside those that are used, the fullest first. `addresses`
 * counts them among the rows looked at.
 */
export function otherEmailColumns(
  columns: readonly { name: string; addresses: number }[],
  used: readonly number[],
): OtherEmailColumn[] {
  const most = Math.max(0, ...used.map((index) => columns[index]?.addresses ?? 0));
  const least = most * worthSaying;
  return columns
    .map(({ name, addresses }, index) => ({ index, name, addresses }))
    .filter(
      ({ index, name, addresses }) => !used.includes(index) && addresses > (saysMail.test(name) ? 0 : least),
    )
    .sort((a, b) => b.addresses - a.addresses);
}
