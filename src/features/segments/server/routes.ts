import { countInTurn } from '#features/audience/server/index.ts';
import { goneSignal, type Router } from '#platform/server/http.ts';
import * as contract from '../contract.ts';
import { explain } from './explain.ts';
import { listFieldsOf } from './fields.ts';
import { preview } from './preview.ts';
import type { Segments } from './segments.ts';

export function registerSegments(router: Router, segments: Segments): void {
  const { db } = segments;
  router.handle(contract.previewSegment, ({ workspaceId, body, reply }) =>
    preview({ db, ...segments.reading() }, workspaceId, body, goneSignal(reply)),
  );
  router.handle(contract.countSegment, async ({ workspaceId, body, reply }) => {
    const signal = goneSignal(reply);
    const count = () =>
      db.asTenant(workspaceId, (tx) => segments.count(tx, workspaceId, body.segmentRules), { signal });
    return { count: await countInTurn(workspaceId, count, signal) };
  });
  router.handle(contract.explainSegment, ({ workspaceId, body }) =>
    db.asTenant(workspaceId, (tx) => explain(segments.reading(), tx, workspaceId, body)),
  );
  router.handle(contract.listSegmentFields, ({ workspaceId }) =>
    db.asTenant(workspaceId, (tx) => listFieldsOf(segments.reading().fields, tx, workspaceId)),
  );
}
