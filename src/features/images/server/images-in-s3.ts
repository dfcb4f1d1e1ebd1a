import type { Readable } from 'node:stream';
import type { S3Client } from '@aws-sdk/client-s3';
import type { Config } from '#platform/server/config.ts';
import { AppError } from '#platform/shared/errors.ts';
import { contentTypes, type ImageFormat } from '../rules/address.ts';
import { allImages, type ImageFiles } from './image-files.ts';

type Settings = NonNullable<Config['s3']>;

/** Fetched when it is needed: most installations keep their images on a disk. */
async function openClient({ endpoint, region, accessKeyId, secretAccessKey }: Settings) {
  const sdk = await import('@aws-sdk/client-s3');
  const client: S3Client = new sdk.S3Client({
    region,
    credentials: { accessKeyId, secretAccessKey },
    maxAttempts: 3,
    requestHandler: { connectionTimeout: 3_000, requestTimeout: 20_000 },
    // Stores that only resemble S3 do not know the newer checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    // A store of one's own rarely has a name for each bucket.
    ...(endpoint ? { endpoint, forcePathStyle: true } : {}),
  });
  return { sdk, client };
}

/**
 * Images in an S3-compatible store. `earlier` holds those that were kept before there was one: they
 * are still shown, and removed when their time comes. Each call throws `unavailable` while the
 * store cannot be reached.
 */
export function imagesInS3(settings: Settings, earlier: ImageFiles): ImageFiles {
  let opened: ReturnType<typeof openClient> | undefined;
  const store = () => (opened ??= openClient(settings));
  const inBucket = { Bucket: settings.bucket };
  return {
    write: (key, bytes) =>
      reaching(async () => {
        const { sdk, client } = await store();
        const ContentType = contentTypes[key.slice(key.lastIndexOf('.') + 1) as ImageFormat];
        await client.send(new sdk.PutObjectCommand({ ...inBucket, Key: key, Body: bytes, ContentType }));
      }),
    read: (key) =>
      reaching(async () => {
        const { sdk, client } = await store();
        try {
          const { Body, ContentLength = 0 } = await client.send(
            new sdk.GetObjectCommand({ ...inBucket, Key: key }),
          );
          return { size: ContentLength, stream: Body as Readable };
        } catch (error) {
          if (error instanceof sdk.NoSuchKey) return earlier.read(key);
          throw error;
        }
      }),
    remove: (key) =>
      reaching(async () => {
        const { sdk, client } = await store();
        await client.send(new sdk.DeleteObjectCommand({ ...inBucket, Key: key }));
        await earlier.remove(key);
      }),
    list: (folder) => reaching(async () => [...(await keysIn(folder)), ...(await earlier.list(folder))]),
    folders: () => reaching(async () => [...new Set([...(await foldersIn()), ...(await earlier.folders())])]),
  };

  async function keysIn(folder: string) {
    const found: { key: string; writtenAt: number }[] = [];
    for await (const { Contents = [] } of pages({ Prefix: `${folder}/` }))
      for (const { Key = '', LastModified } of Contents)
        found.push({ key: Key, writtenAt: LastModified?.getTime() ?? Date.now() });
    return found;
  }

  async function foldersIn(): Promise<string[]> {
    const found: string[] = [];
    for await (const { CommonPrefixes = [] } of pages({ Prefix: `${allImages}/`, Delimiter: '/' }))
      for (const { Prefix = '' } of CommonPrefixes) found.push(Prefix.replace(/\/$/, ''));
    return found;
  }

  async function* pages(asked: { Prefix: string; Delimiter?: string }) {
    const { sdk, client } = await store();
    let next: string | undefined;
    do {
      const page = await client.send(
        new sdk.ListObjectsV2Command({ ...inBucket, ...asked, ...(next ? { ContinuationToken: next } : {}) }),
      );
      yield page;
      next = page.IsTruncated ? page.NextContinuationToken : undefined;
    } while (next);
  }
}

async function reaching<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    const message = 'The store of the images cannot be reached at the moment. Try again in a moment.';
    throw new AppError('unavailable', message, { cause });
  }
}
