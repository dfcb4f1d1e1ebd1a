import type { Registry } from 'prom-client';
import type { AnyEvent, EventKind } from '#platform/shared/contact-event.ts';
import type { Scope } from '#platform/shared/contract.ts';
import type { ParticularCodes } from '#platform/shared/errors.ts';
import { type FeatureWords, once } from '#platform/shared/feature-words.ts';
import type { Config } from './config.ts';
import type { Database, SystemDb, TenantTx } from './database.ts';
import type { FileStore } from './files.ts';
import type { Authenticate, Router } from './http.ts';
import type { Idempotency } from './idempotency.ts';
import type { JobDefinition, Jobs } from './jobs.ts';
import type { Log } from './logging.ts';
import type { NightlyWork } from './nightly.ts';
import { endpointsOf, type NamedEndpoint } from './openapi.ts';
import type { Ports } from './ports.ts';
import type { TaskDefinition } from './task-definition.ts';

/** The exports of a `contract.ts`: endpoints, and what else there is. */
export type Contract = Readonly<Record<string, unknown>>;

/**
 * A feature of the server, whole: what it is called, and how it is made. Each feature exports one
 * from `server/index.ts`, and `apps/features.ts` lists them. See "Adding a feature" in
 * docs/architecture.md.
 */
export interface ServerFeature {
  /** The name of its folder. */
  name: string;
  /**
   * Its `contract.ts`: the calls that the API document tells of. A function where a shape depends
   * on what other features declare.
   */
  contract?: Contract | ((all: readonly ServerFeature[]) => Contract);
  /** Its own error codes, each with the general one that it is a case of. */
  errors?: ParticularCodes;
  /** What it may tell on a contact's timeline; `contactEvents` tells it. */
  eventKinds?: readonly EventKind[];
  /** Its scopes and its lines in the audit log. */
  words?: FeatureWords;
  /** Makes what runs. Starts nothing: that is `start`. */
  create?(context: FeatureContext): FeatureParts;
}

/** What a feature is made with. */
export interface FeatureContext extends Ports {
  db: Database;
  /** How a feature connects that needs connections of its own. */
  connection: { url: string; role?: string | undefined };
  config: Config;
  log: Log;
  files: FileStore;
  /** Every feature of the product, as declared. */
  features: readonly ServerFeature[];
  /** Where a feature adds what it measures. */
  metrics: Registry;
  /** The job queue; undefined until it is up. */
  jobs: () => Jobs | undefined;
}

/** What a feature does in a process. Every field may be left out. */
export interface FeatureParts {
  /** Adds the handlers of its calls. Not called in a process that serves nobody (ROLE=worker). */
  routes?(router: Router): void;
  /** Who makes a call, as far as this feature can tell. The first feature that knows has it. */
  authenticate?: Authenticate;
  /** Keeps answers, so that a call that is sent twice is done once. One feature has it. */
  idempotency?: Idempotency;
  /** Kinds of long work. */
  tasks?: readonly TaskDefinition[];
  /** The product's own housekeeping, by the clock or on demand. */
  jobs?: readonly JobDefinition[];
  /** What is done every night in each workspace. */
  nightly?: readonly NightlyWork[];
  /** What it tells on a contact's timeline. */
  contactEvents?: ContactEventSource;
  /** What may be asked of contacts, in the shape of the audience's conditions. */
  conditions?: readonly { readonly key: string }[];
  /** What it adds to the administrator's figures. */
  figures?: Figures;
  /** Pounds a month of each plan that it sells. */
  planPrices?: Readonly<Record<string, number>>;
  /** How much of what a plan limits a workspace uses, each by its name. */
  planUsage?: Readonly<Record<string, (tx: TenantTx, workspaceId: number) => Promise<number>>>;
  /** What its tables hold about a person. */
  personal?: PersonalData;
  /**
   * Called once when all features are made, for one that gathers what the others declare. Before
   * any call is taken and any work begins.
   */
  gather?(all: readonly FeatureParts[]): void;
  /** Begins its own work in the background. */
  start?(): void;
  /** Takes no more work that other features gave it, and waits for what it has begun. */
  stopWork?(): Promise<void>;
  /** Ends the rest. The features after this one in the array have stopped. */
  stop?(): Promise<void> | void;
}

/** What one feature knows to have happened to a contact. */
export interface ContactEventSource {
  /** The scope that an API key needs to read the same anywhere else. */
  scope: Scope;
  /**
   * At least the newest `limit` of it, in any order. `by` is who did it as the feature has it
   * recorded: an email address or an API key.
   */
  // biome-ignore lint/suspicious/noExplicitAny: a contact is the business of features
  tell(tx: TenantTx, workspaceId: number, contact: any, limit: number): Promise<AnyEvent[]>;
}

/** The moments from which the administrator's figures count. */
export interface FigureTimes {
  dayStart: Date;
  monthStart: Date;
  recentStart: Date;
}

/** Counts over all workspaces together; what several features count is added up. */
export interface Figures {
  /** Addresses worked on: ever, and since the month began. */
  emails?(db: SystemDb, times: FigureTimes): Promise<{ ever: number; thisMonth: number }>;
  /** Pieces of automatic judgement begun today. */
  aiJobs?(db: SystemDb, times: FigureTimes): Promise<number>;
  /** Campaigns sent today. */
  campaigns?(db: SystemDb, times: FigureTimes): Promise<number>;
  /** Work since `recentStart`, for the measured time that an import takes. */
  imports?(db: SystemDb, times: FigureTimes): Promise<{ imports: number; rows: number; seconds: number }>;
}

/** Whom a workspace holds something about: the address as it is matched (identity key). */
export interface Person {
  workspaceId: number;
  local: string;
  domain: string;
}

/** What a feature's tables hold about a person: all of it can be told, and forgotten. */
export interface PersonalData {
  /** What is held, as plain JSON that the person can read. Empty where nothing is. */
  export(tx: TenantTx, person: Person): Promise<Record<string, unknown>>;
  /**
   * Forgets the person; what must stay (an entry that says whom not to mail) stays without more.
   */
  erase(tx: TenantTx, person: Person): Promise<void>;
}

/** Every call of these features, and its name in the contract. */
export function endpointsOfAll(features: readonly ServerFeature[]): NamedEndpoint[] {
  return features.flatMap(({ contract = {} }) =>
    endpointsOf(typeof contract === 'function' ? contract(features) : contract),
  );
}

/** The error codes of these features. Throws when two have the same. */
export const errorsOfAll = (features: readonly ServerFeature[]): ParticularCodes =>
  Object.fromEntries(once(features.map(({ errors }) => errors)));
