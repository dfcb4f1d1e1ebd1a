import { answersCall } from '#platform/server/database.ts';
import type { Router } from '#platform/server/http.ts';
import { AppError } from '#platform/shared/errors.ts';
import * as contract from '../contract.ts';
import { changeImage } from './change-image.ts';
import type { ImagesContext } from './context.ts';
import { deleteImage, restoreImage } from './delete-image.ts';
import { listAll } from './list-images.ts';
import { needImage, present, usesOf } from './present.ts';
import { receiveImage } from './receive-image.ts';
import { showImage } from './show-image.ts';
import { storeImage } from './store-image.ts';

export function registerImages(router: Router, context: ImagesContext): void {
  const { db, kept, count } = context;
  router.handle(contract.listImages, ({ workspaceId, query }) => listAll(context, workspaceId, query));
  router.handle(contract.uploadImage, async ({ workspaceId, caller: { email }, request }) => {
    try {
      const sent = await receiveImage(context, request, workspaceId);
      const { image } = await storeImage(context, { workspaceId, email }, sent);
      return image;
    } catch (error) {
      count.refused(error instanceof AppError ? error.code : 'internal');
      throw error;
    }
  });
  router.handle(contract.getImage, ({ workspaceId, params }) =>
    db.asTenant(workspaceId, async (tx) => {
      const row = await needImage(tx, workspaceId, params.id);
      const usedBy = await usesOf(context, tx, workspaceId, row.token);
      return { ...present(context, workspaceId, row), usedBy };
    }),
  );
  router.handle(contract.changeImage, ({ workspaceId, caller: { email }, params, body }) =>
    db.asTenant(workspaceId, async (tx) =>
      present(context, workspaceId, await changeImage(tx, { workspaceId, email }, params.id, body)),
    ),
  );
  router.handle(contract.deleteImage, ({ workspaceId, caller: { email }, params }) =>
    db.asTenant(workspaceId, async (tx) => {
      const { token } = await deleteImage(tx, { workspaceId, email }, params.id);
      return { deleted: 1 as const, usedBy: await usesOf(context, tx, workspaceId, token) };
    }),
  );
  router.handle(contract.restoreImage, ({ workspaceId, caller: { email }, params }) =>
    db.asTenant(
      workspaceId,
      async (tx) => present(context, workspaceId, await restoreImage(tx, { workspaceId, email }, params.id)),
      answersCall,
    ),
  );
  router.handle(contract.showImage, (call) => showImage(kept, call));
}
