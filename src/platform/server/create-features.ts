import { scopesOf } from '#platform/shared/contract.ts';
import { allScopes } from '#platform/shared/feature-words.ts';
import { endpointsOfAll, type FeatureContext, type FeatureParts, type ServerFeature } from './feature.ts';
import type { Authenticate, Router } from './http.ts';
import type { Idempotency } from './idempotency.ts';
import type { JobDefinition } from './jobs.ts';
import { nightlyJob, runNightly, workspacesPort } from './nightly.ts';
import { createPorts, type Offer, type Ports } from './ports.ts';

/** All features of a process, combined. */
export interface MadeFeatures extends Pick<Ports, 'use'> {
  routes(router: Router): void;
  authenticate: Authenticate;
  idempotency: Idempotency | undefined;
  /** Every feature's jobs, plus the job for nightly work. */
  jobs: JobDefinition[];
  /** Does the nightly work of all features now. */
  nightly(): Promise<void>;
  start(): void;
  stopWork(): Promise<void>;
  stop(): Promise<void>;
}

/** Makes the features in order, then calls `gather` on those that have it. */
export function createFeatures(
  features: readonly ServerFeature[],
  context: Omit<FeatureContext, keyof Ports | 'features'>,
  offers: readonly Offer[] = [],
): MadeFeatures {
  refuseTwins(features);
  const ports = createPorts(offers);
  const all = features.flatMap((feature) => feature.create?.({ ...context, ...ports, features }) ?? []);
  refuseUndeclaredScopes(features, all);
  for (const one of all) one.gather?.(all);
  const works = all.flatMap(({ nightly = [] }) => nightly);
  const night = { works, db: context.db.system, workspaces: () => ports.use(workspacesPort)() };
  return {
    use: ports.use,
    routes: (router) => {
      for (const one of all) one.routes?.(router);
    },
    authenticate: firstWhoKnows(all),
    idempotency: all.find(({ idempotency }) => idempotency)?.idempotency,
    jobs: [...all.flatMap(({ jobs = [] }) => jobs), ...(works.length > 0 ? [nightlyJob(night)] : [])],
    nightly: () => runNightly({ ...night, log: context.log }),
    start: () => {
      for (const one of all) one.start?.();
    },
    stopWork: async () => {
      for (const one of all.toReversed()) await one.stopWork?.();
    },
    stop: async () => {
      for (const one of all.toReversed()) await one.stop?.();
    },
  };
}

function refuseTwins(features: readonly ServerFeature[]): void {
  const names = features.map(({ name }) => name);
  const twin = names.find((name, place) => names.indexOf(name) !== place);
  if (twin !== undefined) throw new RangeError(`The feature ${twin} is listed twice.`);
}

/** No key can hold an undeclared scope, so a call that needs one would be closed to every key. */
function refuseUndeclaredScopes(features: readonly ServerFeature[], parts: readonly FeatureParts[]): void {
  const declared = allScopes(features.map(({ words }) => words ?? {})).map(({ scope }) => scope);
  const refuse = (scope: string | undefined, where: string) => {
    if (scope !== undefined && !declared.includes(scope))
      throw new RangeError(`${where} takes the scope ${scope}, which no feature declares.`);
  };
  for (const { name, definition } of endpointsOfAll(features)) {
    for (const scope of scopesOf(definition.access)) refuse(scope, name);
  }
  for (const { contactEvents } of parts) refuse(contactEvents?.scope, 'A source of contact events');
}

/** Asks each feature in turn who is calling. */
function firstWhoKnows(all: readonly FeatureParts[]): Authenticate {
  const asked = all.flatMap(({ authenticate }) => authenticate ?? []);
  return async (request, reply) => {
    for (const authenticate of asked) {
      const caller = await authenticate(request, reply);
      if (caller) return caller;
    }
    return null;
  };
}
