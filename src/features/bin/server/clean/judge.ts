import { createAddressParser } from '#features/addresses/rules.ts';
import { idna } from '#features/addresses/server/index.ts';
import type { Settings } from '#features/settings/contract.ts';
import type { TenantTx } from '#platform/server/database.ts';
import type { CleanReason } from '../../contract.ts';
import type { IdRange } from '../removal-queries.ts';
import { type Judged, type LocalToJudge, selectLocalsToJudge } from './clean-queries.ts';
import { inTurns } from './in-turns.ts';
import { narrowestChoice, type OwnChoice } from './keepers.ts';

export type ValidationSettings = Settings['emailValidation'];

/** Local parts read in one query. */
const batch = 20_000;

/**
 * What the current settings say about domains and local parts. Local parts are judged only when
 * strict validation is on, and only if a coarse test in the database does not clear them.
 */
export class Judge {
  /** Whether local parts are judged at all. */
  readonly isStrict: boolean;
  readonly #workspaceId: number;
  readonly #isValid: (local: string, domain: string) => boolean;
  readonly #invalidDomains = new Set<string>();
  readonly #foreign = new Map<string, OwnChoice>();

  constructor(workspaceId: number, isValid: ((local: string, domain: string) => boolean) | null) {
    this.#workspaceId = workspaceId;
    this.isStrict = isValid !== null;
    this.#isValid = isValid ?? (() => true);
  }

  addInvalid(domain: string): void {
    this.#invalidDomains.add(domain);
  }

  addForeign(domain: string): void {
    this.#foreign.set(domain, narrowestChoice(domain));
  }

  get invalidDomains(): ReadonlySet<string> {
    return this.#invalidDomains;
  }

  /** Whether it is the address that makes a contact invalid, and not its domain. */
  isUnsound({ local, domain }: Pick<LocalToJudge, 'local' | 'domain'>): boolean {
    return !this.#invalidDomains.has(domain) && !this.#isValid(local, domain);
  }

  /** Visits the contacts of a range that are invalid by their address. Holds one batch of them. */
  async eachUnsound(tx: TenantTx, range: IdRange, visit: (contact: LocalToJudge) => void): Promise<void> {
    if (!this.isStrict) return;
    for (let { from } = range; ; ) {
      const contacts = await selectLocalsToJudge(tx, this.#workspaceId, { from, to: range.to }, batch);
      await this.#visitUnsound(contacts, visit);
      if (contacts.length < batch) return;
      from = (contacts.at(-1)?.id ?? range.to) + 1;
    }
  }

  /** The same for all contacts. */
  async everyUnsound(tx: TenantTx, visit: (contact: LocalToJudge) => void): Promise<void> {
    if (!this.isStrict) return;
    const few = await selectLocalsToJudge(tx, this.#workspaceId, null, batch);
    if (few.length < batch) return this.#visitUnsound(few, visit);
    await this.eachUnsound(tx, { from: 0, to: Number.MAX_SAFE_INTEGER }, visit);
  }

  #visitUnsound(contacts: readonly LocalToJudge[], visit: (contact: LocalToJudge) => void): Promise<void> {
    return inTurns(contacts, (contact) => {
      if (this.isUnsound(contact)) visit(contact);
    });
  }

  /** As the database needs it, to find the contacts of a range that go for one of the reasons. */
  async judge(tx: TenantTx, range: IdRange, reasons: readonly CleanReason[]): Promise<Judged> {
    const invalidIds: number[] = [];
    const invalidForeignIds: number[] = [];
    await this.eachUnsound(tx, range, ({ id, domain }) => {
      // When the invalid ones go too, it does not matter whether they are foreign as well.
      if (reasons.includes('invalid')) invalidIds.push(id);
      else if (this.#foreign.has(domain)) invalidForeignIds.push(id);
    });
    const foreign: Record<OwnChoice, string[]> = { likely: [], any_but_foreign_cctld: [], off: [] };
    for (const [domain, choice] of this.#foreign) foreign[choice].push(domain);
    return {
      workspaceId: this.#workspaceId,
      foreign,
      invalidDomains: [...this.#invalidDomains],
      invalidIds,
      invalidForeignIds,
    };
  }
}

export function createJudge(workspaceId: number, { strictValidation }: ValidationSettings): Judge {
  if (!strictValidation) return new Judge(workspaceId, null);
  const parser = createAddressParser({ ...idna, strict: true, cacheSlots: 2 ** 12 });
  return new Judge(workspaceId, (local, domain) => parser.parse(`${local}@${domain}`).ok);
}
