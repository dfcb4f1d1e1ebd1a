import type { Registry } from 'prom-client';
import type { AddedFilters } from '#platform/shared/added-filter.ts';
import type { AnyEvent, EventKind } from '#platform/shared/contact-event.ts';
import type { Scope } from '#platform/shared/contract.ts';
import type { ParticularCodes } from '#platform/shared/errors.ts';
import { type FeatureWords, once } from '#platform/shared/feature-words.ts';
import type { Config } from './config.ts';
import type { Database, Fragment, SystemDb, TenantTx } from './database.ts';
import type { DiskSpace } from './disk/disk-space.ts';
import type { FileStore } from './files.ts';
import type { Authenticate, Router } from './http.ts';
import type { Idempotency } from './idempotency.ts';
import type { JobDefinition, Jobs } from './jobs.ts';
import type { Log } from './logging.ts';
import type { NightlyWork } from './nightly.ts';
import { endpointsOf, type NamedEndpoint } from './openapi.ts';
import type { Ports } from './ports.ts';
import type { TaskDefinition } from './task-definition.ts';

/** The exports of a `contract.ts`: endpoints and anything else. */
export type Contract = Readonly<Record<string, unknown>>;

/**
 * A whole server feature: its name and how to make it. Each feature exports one from
 * `server/index.ts`, and `apps/features.ts` lists them. See "Adding a feature" in
 * docs/architecture.md.
 */
export interface ServerFeature {
  /** The name of its folder. */
  name: string;
  /**
   * Its `contract.ts`: the calls in the API document. A function where a shape depends on what
   * other features declare.
   */
  contract?: Contract | ((all: readonly ServerFeature[]) => Contract);
  /** Its own error codes, each with the general code that it is a case of. */
  errors?: ParticularCodes;
  /** The kinds of events it may add to a contact's timeline. `contactEvents` supplies them. */
  eventKinds?: readonly EventKind[];
  /** The filters of contacts it adds, each for a condition that it or another feature has. */
  filters?: AddedFilters;
  /** The types of events that it writes to the stream, each with what it means. */
  streamTypes?: Readonly<Record<string, string>>;
  /** Its scopes and its lines in the audit log. */
  words?: FeatureWords;
  /** Makes the running parts but starts nothing. `start` does that. */
  create?(context: FeatureContext): FeatureParts;
}

/** How a feature connects to the database by itself. */
export interface Connection {
  url: string;
  role?: string | undefined;
  /**
   * Whether code fails that breaks a rule that keeps transactions from waiting for each other for
   * ever, as in tests.
   */
  failsOnMisuse: boolean;
}

/** What a feature is made with. */
export interface FeatureContext extends Ports {
  db: Database;
  /** Connection details for a feature that needs its own connections. */
  connection: Connection;
  config: Config;
  log: Log;
  /** Whether there is room to write. */
  disk: DiskSpace;
  files: FileStore;
  /** Every feature of the product, as declared. */
  features: readonly ServerFeature[];
  /** Where a feature adds its metrics. */
  metrics: Registry;
  /** The job queue; undefined until it is up. */
  jobs: () => Jobs | undefined;
}

/** What a feature does in a process. Every field is optional. */
export interface FeatureParts {
  /** Adds the handlers of its calls. Not called in a process that serves nobody (ROLE=worker). */
  routes?(router: Router): void;
  /** Tells who makes a call, if this feature can. The first feature that knows decides. */
  authenticate?: Authenticate;
  /** Keeps answers, so that a call sent twice runs once. Only one feature has it. */
  idempotency?: Idempotency;
  /** Kinds of long work. */
  tasks?: readonly TaskDefinition[];
  /** The product's own housekeeping, scheduled or on demand. */
  jobs?: readonly JobDefinition[];
  /** Work for every night in each workspace. */
  nightly?: readonly NightlyWork[];
  /** Its events on a contact's timeline. */
  contactEvents?: ContactEventSource;
  /** What people can ask about contacts. */
  conditions?: readonly CheckedCondition[];
  /** Is told when contacts leave, come back or become one. */
  contactFollower?: ContactFollower;
  /** Finds what it keeps that asks for one value of a condition, such as a list. */
  findUses?: FindUses;
  /** What segments can ask about contacts. */
  segmentFields?: readonly CheckedField[];
  /** When a contact `c` last did something, as far as it knows: a moment, or null. */
  lastActivity?(workspaceId: number): Fragment;
  /** What it adds to the administrator's figures. */
  figures?: Figures;
  /** Pounds per month for each plan that it sells. */
  planPrices?: Readonly<Record<string, number>>;
  /** How much of each plan limit a workspace uses, by the limit's name. */
  planUsage?: Readonly<Record<string, (tx: TenantTx, workspaceId: number) => Promise<number>>>;
  /** What its tables hold about a person. */
  personal?: PersonalData;
  /**
   * Called once after all features are made and before any call or work begins. For a feature that
   * gathers what the others declare.
   */
  gather?(all: readonly FeatureParts[]): void;
  /** Begins its own work in the background. */
  start?(): void;
  /** Refuses further work from other features and waits for what it has begun. */
  stopWork?(): Promise<void>;
  /** Ends the rest. The features after this one in the array have already stopped. */
  stop?(): Promise<void> | void;
}

declare const checked: unique symbol;

/** A condition whose type was checked: the audience's `condition` makes it. */
export interface CheckedCondition {
  readonly key: string;
  readonly [checked]: true;
}

/**
 * Keeps what a feature knows about contacts in step with them, in the transaction that moves them.
 * Whoever moves contacts holds the removals' lock. Contacts keep their ids.
 */
export interface ContactFollower {
  /** They were just moved to the bin. `gone` yields (id). */
  left(tx: TenantTx, workspaceId: number, removed: { gone: Fragment; removalId: number }): Promise<void>;
  /** They are there again. Others of their removal may stay in the bin, and come back later. */
  cameBack(tx: TenantTx, workspaceId: number, ids: readonly number[]): Promise<void>;
  /** The others were merged into the kept one, and have left. */
  merged(
    tx: TenantTx,
    workspaceId: number,
    merge: { mergeId: number; keptId: number; otherIds: readonly number[] },
  ): Promise<void>;
  /** A merge was undone, and the others are there again. */
  unmerged(tx: TenantTx, workspaceId: number, merge: { mergeId: number; keptId: number }): Promise<void>;
}

/**
 * Finds what asks for a value of a condition by its number, of what this person can see. `kind`
 * says what it is: `view`. With `onlyBlocks`, it works without the value, and only blocks of its
 * content are shown by it.
 */
export type FindUses = (
  tx: TenantTx,
  workspaceId: number,
  asked: { condition: string; id: number },
  userId: number,
) => Promise<{ kind: string; id: number; name: string; onlyBlocks?: true }[]>;

/** A field of segments whose parts fit each other: the segments' `segmentField` makes it. */
export interface CheckedField {
  readonly key: string;
  readonly [checked]: true;
}

/** What one feature knows about a contact's history. */
export interface ContactEventSource {
  /** The scope that an API key needs to read the same data elsewhere. */
  scope: Scope;
  /**
   * At least the newest `limit` events, in any order. `by` is who did it as the feature recorded
   * it: an email address or an API key.
   */
  // biome-ignore lint/suspicious/noExplicitAny: a contact is the business of features
  tell(tx: TenantTx, workspaceId: number, contact: any, limit: number): Promise<AnyEvent[]>;
}

/** Start times for the administrator's figures. */
export interface FigureTimes {
  dayStart: Date;
  monthStart: Date;
  recentStart: Date;
}

/** Counts over all workspaces together. Counts that several features report are added up. */
export interface Figures {
  /** Addresses processed: ever, and since the month began. */
  emails?(db: SystemDb, times: FigureTimes): Promise<{ ever: number; thisMonth: number }>;
  /** Automatic judgements begun today. */
  aiJobs?(db: SystemDb, times: FigureTimes): Promise<number>;
  /** Campaigns sent today. */
  campaigns?(db: SystemDb, times: FigureTimes): Promise<number>;
  /** Work since `recentStart`, to measure how long an import takes. */
  imports?(db: SystemDb, times: FigureTimes): Promise<{ imports: number; rows: number; seconds: number }>;
}

/** Someone a workspace holds data about. The address is as it is matched (identity key). */
export interface Person {
  workspaceId: number;
  local: string;
  domain: string;
}

/** What a feature's tables hold about a person. All of it can be exported and erased. */
export interface PersonalData {
  /** The data as plain JSON that the person can read. Empty when there is none. */
  export(tx: TenantTx, person: Person): Promise<Record<string, unknown>>;
  /**
   * Erases the person. What must stay (an entry that says whom not to mail) keeps nothing else. The
   * features erase in reverse order, so the contacts are there until the bin takes them, and
   * suppressed until then: each in a transaction of its own, because each takes its locks. It may
   * run again.
   */
  erase(tx: TenantTx, person: Person): Promise<void>;
}

/** Every call of these features, with its name in the contract. */
export function endpointsOfAll(features: readonly ServerFeature[]): NamedEndpoint[] {
  return features.flatMap(({ contract = {} }) =>
    endpointsOf(typeof contract === 'function' ? contract(features) : contract),
  );
}

/** The filters that these features add. Throws when two features add the same. */
export const filtersOfAll = (features: readonly ServerFeature[]): AddedFilters =>
  Object.fromEntries(once(features.map(({ filters }) => filters)));

/** The types of events of these features. Throws when two features have the same. */
export const streamTypesOfAll = (features: readonly ServerFeature[]): Readonly<Record<string, string>> =>
  Object.fromEntries(once(features.map(({ streamTypes }) => streamTypes)));

/** The error codes of these features. Throws when two features have the same code. */
export const errorsOfAll = (features: readonly ServerFeature[]): ParticularCodes =>
  Object.fromEntries(once(features.map(({ errors }) => errors)));
