import { createHash } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import { type Judged, judgeAgent } from '../../rules/agents.ts';

/** The most that is read of what a program calls itself. No real one says more. */
const longestName = 400;
/** What is remembered of them. When there are more, all begin anew. */
const mostKnown = 20_000;
/** How long a name is taken for written down without looking. */
const dayMs = 86_400_000;

/** Names a text in eight bytes, as a signed number for PostgreSQL. */
export const hashOf = (name: string): string =>
  createHash('sha256').update(name).digest().readBigInt64BE(0).toString();

interface Met {
  name: string;
  hash: string;
  /** By `act` and whether it only asked for the head. */
  judged: Map<string, Judged>;
}

/** What programs call themselves, judged once for each, and which names are written down. */
export class AgentBook {
  readonly #met = new Map<string, Met>();
  readonly #written = new Set<string>();
  readonly #names = new Map<string, string>();
  #since = Date.now();

  /** Judges who asks, as `judgeAgent` does. */
  judge(userAgent: string, act: 'open' | 'click', isUnseen: boolean): Judged & { agentHash: string } {
    const met = this.#meet(userAgent);
    const key = `${act}${isUnseen}`;
    let judged = met.judged.get(key);
    if (!judged) {
      judged = judgeAgent({ userAgent: met.name, act, isUnseen });
      met.judged.set(key, judged);
    }
    return { ...judged, agentHash: met.hash };
  }

  #meet(userAgent: string): Met {
    const known = this.#met.get(userAgent);
    if (known) return known;
    if (this.#met.size >= mostKnown) this.#forget();
    const name = userAgent.trim().slice(0, longestName);
    const met = { name, hash: hashOf(name), judged: new Map() };
    this.#met.set(userAgent, met);
    this.#names.set(met.hash, name);
    return met;
  }

  #forget(): void {
    this.#met.clear();
    this.#names.clear();
  }

  /** The names that may not be written down yet for a workspace, in one order. */
  unwritten(workspaceId: number, hashes: Iterable<string | null>): { hash: string; agent: string }[] {
    if (Date.now() - this.#since > dayMs || this.#written.size >= mostKnown) {
      this.#written.clear();
      this.#since = Date.now();
    }
    const found = new Map<string, string>();
    for (const hash of hashes) {
      if (hash === null || this.#written.has(`${workspaceId} ${hash}`)) continue;
      const agent = this.#names.get(hash);
      if (agent !== undefined) found.set(hash, agent);
    }
    return [...found].map(([hash, agent]) => ({ hash, agent })).sort((a, b) => (a.hash < b.hash ? -1 : 1));
  }

  /** Remembers that these were written down and that it was committed. */
  wrote(workspaceId: number, names: readonly { hash: string }[]): void {
    for (const { hash } of names) this.#written.add(`${workspaceId} ${hash}`);
  }
}

/** Writes names down. A name that was met lately is left as it is. It has no parameters. */
export const namesStatement = (
  workspaceId: number,
  names: readonly { hash: string; agent: string }[],
): RawBuilder<unknown> => sql`
  insert into tracking_agents as a (workspace_id, hash, agent)
  select ${sql.lit(workspaceId)}::bigint, n.hash, n.agent
  from jsonb_to_recordset(${sql.lit(JSON.stringify(names))}::jsonb) as n(hash bigint, agent text)
  order by n.hash
  on conflict (workspace_id, hash) do update set seen_on = current_date where a.seen_on < current_date - 30`;
