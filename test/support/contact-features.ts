import { audienceFeature, audienceOf } from '#features/audience/server/index.ts';
import { type Bin, binFeature, binPort, verdictsPort } from '#features/bin/server/index.ts';
import { contactsFeature, judgePort, whyDeadPort } from '#features/contacts/server/index.ts';
import { exportsFeature } from '#features/exports/server/index.ts';
import { rollupsFeature } from '#features/rollups/server/index.ts';
import { type Tasks, tasksPort } from '#features/tasks/server/index.ts';
import { verdictKeeper, verificationConditions } from '#features/verification/server/index.ts';
import type { Database } from '#platform/server/database.ts';
import type { FeatureContext } from '#platform/server/feature.ts';
import type { Router } from '#platform/server/http.ts';
import { createPorts, offer, type Ports } from '#platform/server/ports.ts';
import { join } from './tasks.ts';

const features = [rollupsFeature, contactsFeature, audienceFeature, binFeature, exportsFeature];

/** Selects contacts by all of the product's conditions. */
export const testAudience = audienceOf(verificationConditions);

/**
 * The calls that read and change contacts, as the product composes them but without verification:
 * new contacts are not judged. Returns the bin.
 */
export function registerContactFeatures(router: Router, { db, tasks }: { db: Database; tasks: Tasks }): Bin {
  const ports = createPorts([
    offer(tasksPort, tasks),
    offer(judgePort, async () => undefined),
    offer(whyDeadPort, async () => null),
    offer(verdictsPort, verdictKeeper),
  ]);
  const context: Pick<FeatureContext, 'db' | 'features' | keyof Ports> = { db, features, ...ports };
  const made = features.flatMap(({ create }) => create?.(context as FeatureContext) ?? []);
  for (const parts of made) {
    join(parts, { tasks, router });
    parts.gather?.([...made, { conditions: verificationConditions }]);
  }
  return ports.use(binPort);
}
