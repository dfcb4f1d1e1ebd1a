import { availableParallelism } from 'node:os';
import type { Actor } from '#features/audit/server/index.ts';
import { FairQueue } from '#platform/server/fair-queue.ts';
import type { FeatureContext, FeatureParts, ServerFeature } from '#platform/server/feature.ts';
import { workspacesPort } from '#platform/server/nightly.ts';
import { port } from '#platform/server/ports.ts';
import * as contract from '../contract.ts';
import { imageCodes } from '../rules/codes.ts';
import { imagesWords } from '../rules/words.ts';
import type { ImagesContext, ImageUser } from './context.ts';
import { forgetDeleted, removeOfGone, removeOrphans } from './forget-images.ts';
import { imagesOnDisk } from './image-files.ts';
import { countImagesIn } from './image-metrics.ts';
import { imagesInS3 } from './images-in-s3.ts';
import { registerImages } from './routes.ts';
import { type SentImage, type StoredImage, storeImage } from './store-image.ts';

export type { ImageUser } from './context.ts';
export { imageSizes } from './image-sizes.ts';
export { keepSent } from './keep-sent.ts';
export type { SentImage, StoredImage } from './store-image.ts';

/** What other features do with images. */
export interface Images {
  /** Makes known who shows images, so that none is removed that somebody still sees. */
  add(user: ImageUser): void;
  /** Draws and keeps an image as an upload does. Not within a transaction. */
  store(actor: Actor, sent: SentImage): Promise<StoredImage>;
}

export const imagesPort = port<Images>('images.images');

export const imagesFeature: ServerFeature = {
  name: 'images',
  contract,
  words: imagesWords,
  errors: imageCodes,
  create,
};

/**
 * Half of the cores draw images at most, and one at a time for one workspace. Each that waits is in
 * memory meanwhile, so one person has few in the line.
 */
const turnsFor = (cores: number): FairQueue =>
  new FairQueue({ size: Math.max(1, Math.min(4, Math.floor(cores / 2))), each: 1, line: 12 });

function create({ db, files, disk, config, metrics, use, offer }: FeatureContext): FeatureParts {
  const turns = turnsFor(availableParallelism());
  const users: ImageUser[] = [];
  const { publicUrl } = config;
  const context: ImagesContext = {
    db,
    files,
    kept: config.s3 ? imagesInS3(config.s3, imagesOnDisk(files)) : imagesOnDisk(files),
    disk,
    publicUrl,
    turns,
    users,
    count: countImagesIn(metrics, turns),
  };
  offer(imagesPort, {
    add: (user) => void users.push(user),
    store: (actor, sent) => storeImage(context, actor, sent),
  });
  const workspaces = use(workspacesPort);
  return {
    routes: (router) => registerImages(router, context),
    nightly: [
      { name: 'images.forget-deleted', run: (workspaceId) => forgetDeleted(context, workspaceId) },
      { name: 'images.remove-orphans', run: (workspaceId) => removeOrphans(context, workspaceId) },
    ],
    jobs: [
      {
        name: 'images.remove-of-gone',
        schedule: '47 3 * * *',
        handler: () => removeOfGone(context, workspaces),
      },
    ],
  };
}
