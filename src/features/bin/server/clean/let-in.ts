import type { TenantTx } from '#platform/server/database.ts';
import type { IdRange } from '../removal-queries.ts';
import { inTurns } from './in-turns.ts';
import { keeping, narrowestChoice, type OwnChoice } from './keepers.ts';
import {
  type BroughtIn,
  countBroughtIn,
  countBroughtInBySmall,
  type ImportWithChoice,
} from './let-in-queries.ts';

/** Ids looked at in one query. At most as many rows come back. */
const windowSize = 500_000;

/**
 * Contacts outside the UK rule of the settings that came with an import whose own choice keeps
 * their domain. Nothing is stored about it on the contact: its import keeps its options. The domain
 * counts as it is now, after corrections.
 */
export class LetIn {
  /** How many there are, by domain. */
  readonly byDomain = new Map<string, number>();
  contacts = 0;
  /** The imports with a choice of their own. */
  readonly imports: readonly ImportWithChoice[];
  readonly #choices: ReadonlyMap<number, OwnChoice>;

  constructor(imports: readonly ImportWithChoice[]) {
    this.imports = imports;
    this.#choices = new Map(imports.map(({ id, choice }) => [id, choice]));
  }

  /** A contact of such a domain that goes for another reason. `count` counts it, too. */
  leaveOut(domain: string, importId: number | null): void {
    if (this.keeps(domain, importId)) this.add(domain, -1);
  }

  /** Counts those in the foreign domains, by reading the contacts of all these imports. */
  async count(tx: TenantTx, workspaceId: number, isForeign: (domain: string) => boolean): Promise<void> {
    const ids = this.imports.map(({ id }) => id);
    for (const { from, to } of windowsOf(this.imports, windowSize)) {
      const range = { first: from, last: to };
      await this.#addForeign(await countBroughtIn(tx, workspaceId, ids, range), isForeign);
    }
  }

  /** The same for some small ones. */
  async countSmall(
    tx: TenantTx,
    workspaceId: number,
    imports: readonly ImportWithChoice[],
    isForeign: (domain: string) => boolean,
  ): Promise<void> {
    if (imports.length === 0) return;
    await this.#addForeign(await countBroughtInBySmall(tx, workspaceId, imports), isForeign);
  }

  #addForeign(found: readonly BroughtIn[], isForeign: (domain: string) => boolean): Promise<void> {
    return inTurns(found, ({ domain, importId, contacts }) => {
      if (isForeign(domain) && this.keeps(domain, importId)) this.add(domain, contacts);
    });
  }

  /** Whether a contact in this domain was let in by this import. */
  keeps(domain: string, importId: number | null): boolean {
    const choice = importId === null ? undefined : this.#choices.get(importId);
    return choice !== undefined && keeping[narrowestChoice(domain)].includes(choice);
  }

  add(domain: string, contacts: number): void {
    this.byDomain.set(domain, (this.byDomain.get(domain) ?? 0) + contacts);
    this.contacts += contacts;
  }
}

/**
 * Parts imports into small ones, which have no more than so many ids together, and the rest. Each
 * part in the order of their first contact.
 */
export function partBySize<T extends Pick<ImportWithChoice, 'first' | 'last'>>(
  imports: readonly T[],
  most: number,
): { small: T[]; rest: T[] } {
  const small = new Set<T>();
  let ids = 0;
  for (const one of imports.toSorted((a, b) => a.last - a.first - (b.last - b.first))) {
    ids += one.last - one.first + 1;
    if (ids > most) break;
    small.add(one);
  }
  return { small: imports.filter((one) => small.has(one)), rest: imports.filter((one) => !small.has(one)) };
}

/**
 * Ranges of ids, none longer than `size` and none overlapping, that hold the contacts of all these
 * imports. `imports` come in the order of their first contact. Small ones that are close together
 * share a range.
 */
export function windowsOf(
  imports: readonly Pick<ImportWithChoice, 'first' | 'last'>[],
  size: number,
): IdRange[] {
  const windows: IdRange[] = [];
  for (const { first, last } of imports) {
    const open = windows.at(-1);
    let from = open ? Math.max(first, open.to + 1) : first;
    if (open && last > open.to && last < open.from + size) {
      open.to = last;
      continue;
    }
    for (; from <= last; from += size) windows.push({ from, to: Math.min(from + size - 1, last) });
  }
  return windows;
}
