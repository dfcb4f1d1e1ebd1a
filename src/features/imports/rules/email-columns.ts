/** Another column is worth a word if it has more than this share of the used one's addresses. */
const worthSaying = 0.05;

export interface OtherEmailColumn {
  index: number;
  name: string;
  addresses: number;
}

/**
 * The columns that hold addresses beside the one that is used, the fullest first. `addresses`
 * counts them among the rows looked at.
 */
export function otherEmailColumns(
  columns: readonly { name: string; addresses: number }[],
  used: number,
): OtherEmailColumn[] {
  const least = (columns[used]?.addresses ?? 0) * worthSaying;
  return columns
    .map(({ name, addresses }, index) => ({ index, name, addresses }))
    .filter(({ index, addresses }) => index !== used && addresses > least)
    .sort((a, b) => b.addresses - a.addresses);
}
