/** A feature's words, on the server and on the web alike. */
export interface FeatureWords {
  /**
   * What an API key may do with this feature: `contacts:read`. Only one feature declares each
   * scope.
   */
  scopes?: Readonly<Record<string, ScopeWords>>;
  /** How its lines in the audit log read. */
  audit?: AuditWords;
}

export interface ScopeWords {
  /** Its rank among all scopes, lowest first. */
  order: number;
  /** What it allows a key to do. */
  words: string;
}

type Details = Readonly<Record<string, unknown>>;
/**
 * The words for a value. Null leaves it out. `details` is the whole line, `plain` reads any other
 * value.
 */
export type Said = (value: unknown, details: Details, plain: (value: unknown) => string) => string | null;

/** A value in the details of a line. */
export interface DetailWords {
  /** Its place in the line, lowest first: 0 about whom, 100 how much, 200 why, 300 of what. */
  order: number;
  /** Absent: its name, a colon and the value. */
  say?: Said;
}

/** Actions are `<what>.<verb in the past>`. The first word of an action decides its area. */
export interface AuditWords {
  /** The areas that this feature adds. */
  areas?: Readonly<Record<string, { order: number; label: string }>>;
  /** The first words of an area's actions, for its own areas or another feature's. */
  kinds?: Readonly<Record<string, readonly string[]>>;
  /** Wording for actions whose plain reading would sound wrong. */
  actions?: Readonly<Record<string, string>>;
  details?: Readonly<Record<string, DetailWords>>;
}

/** All scopes in order. Throws when two features declare the same one. */
export function allScopes(features: readonly FeatureWords[]): { scope: string; words: string }[] {
  return once(features.map(({ scopes }) => scopes))
    .sort(([, one], [, other]) => one.order - other.order)
    .map(([scope, { words }]) => ({ scope, words }));
}

/** The entries of all records. Throws when two have the same name. */
export function once<T>(records: readonly (Readonly<Record<string, T>> | undefined)[]): [string, T][] {
  const entries = records.flatMap((record) => Object.entries(record ?? {}));
  const seen = new Set<string>();
  for (const [name] of entries) {
    if (seen.has(name)) throw new RangeError(`Two features declare ${name}.`);
    seen.add(name);
  }
  return entries;
}
