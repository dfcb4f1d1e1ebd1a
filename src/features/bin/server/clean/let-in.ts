import { narrowestPolicy, type WiderPolicy } from '#features/addresses/rules.ts';
import type { TenantTx } from '#platform/server/database.ts';
import type { IdRange } from '../removal-queries.ts';
import { inTurns } from './in-turns.ts';
import { countBroughtIn, type ImportWithPolicy } from './let-in-queries.ts';

/** Ids looked at in one query. At most as many rows come back. */
const windowSize = 500_000;

/** True if a policy keeps the domain, whatever endings are allowed. */
function keeps(policy: WiderPolicy, domain: string): boolean {
  const narrowest = narrowestPolicy(domain);
  return narrowest === 'likely' || narrowest === policy;
}

/**
 * Contacts outside the UK rule of the settings that came with an import whose own policy keeps
 * their domain. Nothing is stored about it on the contact: its import keeps its options. The domain
 * counts as it is now, after corrections.
 */
export class LetIn {
  /** How many there are, by domain. */
  readonly byDomain = new Map<string, number>();
  contacts = 0;
  readonly #imports: readonly ImportWithPolicy[];
  readonly #policies: ReadonlyMap<number, WiderPolicy>;

  constructor(imports: readonly ImportWithPolicy[]) {
    this.#imports = imports;
    this.#policies = new Map(imports.map(({ id, policy }) => [id, policy]));
  }

  /** A contact of such a domain that goes for another reason. `count` counts it, too. */
  leaveOut(domain: string, importId: number | null): void {
    if (this.#keeps(domain, importId)) this.#add(domain, -1);
  }

  /** Counts those in the foreign domains, by reading the contacts of imports with a policy. */
  async count(tx: TenantTx, workspaceId: number, isForeign: (domain: string) => boolean): Promise<void> {
    const ids = [...this.#policies.keys()];
    for (const { from, to } of windowsOf(this.#imports, windowSize)) {
      const found = await countBroughtIn(tx, workspaceId, ids, { first: from, last: to });
      await inTurns(found, ({ domain, importId, contacts }) => {
        if (isForeign(domain) && this.#keeps(domain, importId)) this.#add(domain, contacts);
      });
    }
  }

  #keeps(domain: string, importId: number | null): boolean {
    const policy = importId === null ? undefined : this.#policies.get(importId);
    return policy !== undefined && keeps(policy, domain);
  }

  #add(domain: string, contacts: number): void {
    this.byDomain.set(domain, (this.byDomain.get(domain) ?? 0) + contacts);
    this.contacts += contacts;
  }
}

/**
 * Ranges of ids, none longer than `size` and none overlapping, that hold the contacts of all these
 * imports. `imports` come in the order of their first contact. Small ones that are close together
 * share a range.
 */
export function windowsOf(
  imports: readonly Pick<ImportWithPolicy, 'first' | 'last'>[],
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
