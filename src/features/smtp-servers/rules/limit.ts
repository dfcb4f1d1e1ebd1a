/** What a server takes, and until when that is filled by what has left. */
export interface ServerLimits {
  perHour: number | null;
  perMinute: number | null;
  hourNextAt: Date;
  minuteNextAt: Date;
}

/** How long a server takes no more: what goes first needs room for itself alone. */
export interface FullFor {
  firstMs: number;
  othersMs: number;
}

export interface Room extends Pick<ServerLimits, 'hourNextAt' | 'minuteNextAt'> {
  /** Messages that may leave now. */
  count: number;
  /** Null: all of them. */
  full: FullFor | null;
}

/** Others wait until there is room for so many, or for half of what may leave at once. */
const lot = 20;

/**
 * What may leave at once: a minute's worth of an hour, and five seconds' worth of a minute. It is
 * more than comes together while a mailing waits for its next turn, so the limit is made use of.
 */
const hour = { ms: 3_600_000, atOnce: 1 / 60 };
const minute = { ms: 60_000, atOnce: 1 / 12 };

/**
 * How many of the wanted messages a server may get now. `returned`: so many were counted before and
 * did not leave.
 */
export function roomOf(
  limits: ServerLimits,
  { wanted, returned }: { wanted: number; returned: number },
  now: Date,
): Room {
  const { perHour, perMinute, hourNextAt, minuteNextAt } = limits;
  const ofHour = new Limit(perHour, hour, hourNextAt, now);
  const ofMinute = new Limit(perMinute, minute, minuteNextAt, now);
  const both = [ofHour, ofMinute];
  for (const limit of both) limit.use(-returned);
  const count = Math.min(wanted, ...both.map(({ room }) => room));
  for (const limit of both) limit.use(count);
  const waitMs = (many: number) => Math.max(...both.map((limit) => limit.waitMs(many)));
  return {
    ...{ count, hourNextAt: ofHour.nextAt, minuteNextAt: ofMinute.nextAt },
    full: count === wanted ? null : { firstMs: waitMs(1), othersMs: waitMs(lot) },
  };
}

/**
 * At most so many messages in every hour or minute, whenever it begins. Some of them may leave at
 * once, and the others at even distances, so that a pause is not made up for in a burst.
 */
class Limit {
  readonly #atOnce: number;
  readonly #gapMs: number;
  readonly #now: number;
  #next: number;

  constructor(most: number | null, period: typeof hour, nextAt: Date, now: Date) {
    this.#atOnce = most === null ? Number.POSITIVE_INFINITY : Math.ceil(most * period.atOnce);
    // What leaves at once leaves that much less for the rest of the period.
    this.#gapMs = most === null ? 0 : period.ms / (most - this.#atOnce + 1);
    this.#now = now.getTime();
    // A later moment is of a clock that was ahead for a while: nothing fills more than a period.
    this.#next = Math.min(nextAt.getTime(), now.getTime() + period.ms);
  }

  get #filledMs(): number {
    return Math.max(0, this.#next - this.#now);
  }

  get room(): number {
    if (this.#gapMs === 0) return Number.POSITIVE_INFINITY;
    return Math.max(0, Math.floor(this.#atOnce - this.#filledMs / this.#gapMs));
  }

  /** In whole milliseconds, never too early. */
  get nextAt(): Date {
    return new Date(Math.ceil(this.#next));
  }

  use(count: number): void {
    if (this.#gapMs === 0 || count === 0) return;
    this.#next = Math.max(this.#next, this.#now) + count * this.#gapMs;
  }

  /** Until there is room for so many, or for half of those that may leave at once. */
  waitMs(many: number): number {
    if (this.#gapMs === 0) return 0;
    const awaited = Math.min(many, Math.ceil(this.#atOnce / 2));
    return Math.max(0, this.#filledMs - (this.#atOnce - awaited) * this.#gapMs);
  }
}

/** Why messages wait, for whoever looks at them. */
export const fullInWords = (names: readonly string[]): string =>
  names.length === 1
    ? `As many messages have left through your SMTP server ${names[0]} as its limit allows. The rest leaves by itself.`
    : 'As many messages have left through your SMTP servers as their limits allow. The rest leaves by itself.';
