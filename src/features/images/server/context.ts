import type { Database, TenantTx } from '#platform/server/database.ts';
import type { DiskSpace } from '#platform/server/disk/disk-space.ts';
import type { FairQueue } from '#platform/server/fair-queue.ts';
import type { FileStore } from '#platform/server/files.ts';
import type { ImageUse } from '../contract.ts';
import type { ImageFiles } from './image-files.ts';
import type { CountImage } from './image-metrics.ts';

/** A feature whose records show images. */
export interface ImageUser {
  /** What shows the image with this token now. */
  usesOf(tx: TenantTx, workspaceId: number, token: string): Promise<ImageUse[]>;
  /**
   * Those of the tokens that something shows, or would show again if it were restored. Their images
   * are not removed for good.
   */
  held(tx: TenantTx, workspaceId: number, tokens: readonly string[]): Promise<readonly string[]>;
}

/** What the calls work with. */
export interface ImagesContext {
  db: Database;
  /** Where uploads arrive. */
  files: FileStore;
  /** Where images are kept. */
  kept: ImageFiles;
  disk: DiskSpace;
  /** The product's own address, which addresses in emails begin with. */
  publicUrl: string;
  /** Turns at drawing images. */
  turns: FairQueue;
  count: CountImage;
  users: readonly ImageUser[];
}
