/** Whoever writes more names wrongly than that did not mean any of them. */
const mostAsked = 50;

/**
 * Finds the name that was probably meant: the same letters in another spelling, or at most two
 * slips away. Null when nothing is near. Each name is looked up once.
 */
export function nearestIn(known: readonly string[]): (name: string) => string | null {
  const candidates = known.map((name) => ({ name, letters: lettersOf(name) }));
  const found = new Map<string, string | null>();
  return (name) => {
    const before = found.get(name);
    if (before !== undefined || found.size >= mostAsked) return before ?? null;
    const nearest = nearestOf(lettersOf(name), candidates);
    found.set(name, nearest);
    return nearest;
  };
}

function nearestOf(wanted: string, candidates: readonly { name: string; letters: string }[]): string | null {
  let best: { name: string; slips: number } | null = null;
  for (const { name, letters } of candidates) {
    if (letters === wanted) return name;
    // A short name is near to everything, so it may have fewer slips.
    const allowed = Math.min(2, Math.floor(Math.max(letters.length, wanted.length) / 4));
    const slips = slipsBetween(wanted, letters, allowed);
    if (slips <= allowed && (best === null || slips < best.slips)) best = { name, slips };
  }
  return best?.name ?? null;
}

/** `First Name`, `firstName` and `FIRST-NAME` are one name written differently. */
function lettersOf(name: string): string {
  return name
    .slice(0, 100)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
}

/**
 * How many letters to change, add, drop or swap with the next. More than `allowed` is not counted
 * on.
 */
function slipsBetween(one: string, other: string, allowed: number): number {
  if (Math.abs(one.length - other.length) > allowed) return allowed + 1;
  let beforeLast: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, column) => column);
  for (let row = 1; row <= one.length; row++) {
    const current = [row];
    for (let column = 1; column <= other.length; column++) {
      const isSame = one[row - 1] === other[column - 1];
      let slips = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (isSame ? 0 : 1),
      );
      if (one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1])
        slips = Math.min(slips, (beforeLast[column - 2] ?? 0) + 1);
      current.push(slips);
    }
    beforeLast = last;
    last = current;
  }
  return last[other.length] ?? 0;
}
