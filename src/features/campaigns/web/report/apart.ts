/** Where the badge of a link stands, in pixels of the drawn page, from its middle and its foot. */
export interface Badge {
  left: number;
  top: number;
  /** How wide it is about. */
  width: number;
}

/** As high as a badge with its border. */
const height = 20;
const gap = 2;

/**
 * Moves badges that would cover each other. One that has no room goes beside the last of its line,
 * or a line lower where the page ends. Returns them in the order given.
 */
export function apart<B extends Badge>(badges: readonly B[], pageWidth: number): B[] {
  const placed: B[] = [];
  const moved = new Map<B, B>();
  const inReadingOrder = [...badges].sort((one, other) => one.top - other.top || one.left - other.left);
  for (const badge of inReadingOrder) {
    let at = within(badge, pageWidth);
    // Each step passes a placed badge for good: it moves right of it, or below it.
    for (let other = covering(placed, at); other; other = covering(placed, at)) {
      const left = other.left + other.width / 2 + gap + at.width / 2;
      at =
        left + at.width / 2 <= pageWidth
          ? { ...at, left }
          : within({ ...at, left: badge.left, top: other.top + height + gap }, pageWidth);
    }
    placed.push(at);
    moved.set(badge, at);
  }
  return badges.map((badge) => moved.get(badge) as B);
}

const covering = <B extends Badge>(placed: readonly B[], badge: B): B | undefined =>
  placed.find(
    ({ left, top, width }) =>
      Math.abs(top - badge.top) < height && Math.abs(left - badge.left) < (width + badge.width) / 2,
  );

const within = <B extends Badge>(badge: B, pageWidth: number): B => ({
  ...badge,
  left: Math.max(badge.width / 2, Math.min(badge.left, pageWidth - badge.width / 2)),
});
