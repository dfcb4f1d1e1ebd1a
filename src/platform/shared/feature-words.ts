/** What a feature says in words, on the server and on the web alike. */
export interface FeatureWords {
  /** What an API key may do with this feature: `contacts:read`. Each is declared by one feature. */
  scopes?: Readonly<Record<string, ScopeWords>>;
  /** How its lines in the audit log read. */
  audit?: AuditWords;
}

export interface ScopeWords {
  /** Where it stands among all scopes, lowest first. */
  order: number;
  /** What it lets a key do. */
  words: string;
}

type Details = Readonly<Record<string, unknown>>;
/**
 * What is said of a value; null where it goes without saying. `details` is the whole line, `plain`
 * reads any other value.
 */
export type Said = (value: unknown, details: Details, plain: (value: unknown) => string) => string | null;

/** A value in the details of a line. */
export interface DetailWords {
  /** When it is said, lowest first: 0 about whom, 100 how much, 200 why, 300 of what. */
  order: number;
  /** Absent: its name, a colon and the value. */
  say?: Said;
}

/** Actions are `<what>.<verb in the past>`; each belongs to one area by its first word. */
export interface AuditWords {
  /** The areas that this feature brings. */
  areas?: Readonly<Record<string, { order: number; label: string }>>;
  /** What actions of an area begin with, of its own areas or another feature's. */
  kinds?: Readonly<Record<string, readonly string[]>>;
  /** Where the plain reading of an action would not be what a person would say. */
  actions?: Readonly<Record<string, string>>;
  details?: Readonly<Record<string, DetailWords>>;
}

/** All scopes in their order. Throws when two features declare the same. */
export function allScopes(features: readonly FeatureWords[]): { scope: string; words: string }[] {
  return once(features.map(({ scopes }) => scopes))
    .sort(([, one], [, other]) => one.order - other.order)
    .map(([scope, { words }]) => ({ scope, words }));
}

/** The entries of all these records. Throws when two have the same name. */
export function once<T>(records: readonly (Readonly<Record<string, T>> | undefined)[]): [string, T][] {
  const entries = records.flatMap((record) => Object.entries(record ?? {}));
  const seen = new Set<string>();
  for (const [name] of entries) {
    if (seen.has(name)) throw new RangeError(`Two features declare ${name}.`);
    seen.add(name);
  }
  return entries;
}
