import type { Tree } from '#features/audience/rules/tree.ts';
import type { Audience } from '#features/audience/server/index.ts';
import type { Database, TenantTx } from '#platform/server/database.ts';
import { AppError } from '#platform/shared/errors.ts';
import type { SegmentRules } from '../contract.ts';
import { londonDay } from '../rules/days.ts';
import { rulesInWords } from '../rules/words.ts';
import type { Fields } from './fields.ts';
import { keptRules } from './kept-rules.ts';
import { type Reading, readRules, treeOfRules } from './read-rules.ts';

/** Rules of segments, for features that keep them. */
export interface Segments {
  db: Database;
  /** What rules are read with at this moment. */
  reading(): Reading;
  /**
   * Whom rules mean now: "in the last 7 days" counts from today. So keep the rules and not the
   * tree. Throws `invalid_input` with a sentence when they cannot be understood any more.
   */
  tree(tx: TenantTx, workspaceId: number, rules: SegmentRules): Promise<Tree>;
  /** Rules as they are to be stored. Throws as `tree` does. */
  kept(tx: TenantTx, workspaceId: number, rules: SegmentRules): Promise<SegmentRules>;
  /** Whom they mean, as a sentence. Throws as `tree` does. */
  words(tx: TenantTx, workspaceId: number, rules: SegmentRules): Promise<string>;
  /** Why they mean nobody can tell whom, as a sentence. Null when they are understood. */
  problem(tx: TenantTx, workspaceId: number, rules: SegmentRules): Promise<string | null>;
  /** How many contacts they mean, exactly. Reads as much as it has to. */
  count(tx: TenantTx, workspaceId: number, rules: SegmentRules): Promise<number>;
}

interface SegmentsOptions {
  db: Database;
  audience: Audience;
  fields: () => Fields;
  now?: () => Date;
}

export function openSegments({ db, audience, fields, now = () => new Date() }: SegmentsOptions): Segments {
  const reading = (): Reading => ({ audience, fields: fields(), today: londonDay(now()) });
  const read = (tx: TenantTx, workspaceId: number, rules: SegmentRules) =>
    readRules(reading(), tx, workspaceId, rules);
  const tree = async (tx: TenantTx, workspaceId: number, rules: SegmentRules) =>
    treeOfRules(audience, await read(tx, workspaceId, rules));
  return {
    db,
    reading,
    tree,
    async kept(tx, workspaceId, rules) {
      await tree(tx, workspaceId, rules);
      return keptRules(reading(), tx, workspaceId, rules);
    },
    words: async (tx, workspaceId, rules) => rulesInWords(await read(tx, workspaceId, rules)),
    async problem(tx, workspaceId, rules) {
      try {
        // What they ask for may itself be broken: a list that fills itself by rules of its own.
        await audience.conditionForWalk(tx, workspaceId, await tree(tx, workspaceId, rules));
        return null;
      } catch (error) {
        if (error instanceof AppError && error.kind === 'invalid_input') return error.message;
        throw error;
      }
    },
    count: async (tx, workspaceId, rules) =>
      audience.count(tx, workspaceId, await tree(tx, workspaceId, rules)),
  };
}
