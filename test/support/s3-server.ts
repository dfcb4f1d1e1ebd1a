import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/**
 * An S3-compatible store in memory, as far as the product needs one: one bucket, addressed by path.
 * It refuses what is not signed with its key.
 */
export async function openS3Server(bucket: string, accessKeyId: string) {
  const objects = new Map<string, { bytes: Buffer; type: string; at: Date }>();
  const state = { isDown: false, pageSize: 1000 };
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://s3');
    const bytes = await buffer(request);
    const answer = (status: number, body: string | Buffer = '', type = 'application/xml') =>
      response.writeHead(status, { 'content-type': type, 'content-length': body.length }).end(body);
    const signed = `AWS4-HMAC-SHA256 Credential=${accessKeyId}/`;
    if (state.isDown) return answer(503, error('SlowDown'));
    if (!request.headers.authorization?.startsWith(signed)) return answer(403, error('AccessDenied'));
    const [, named = '', ...rest] = decodeURIComponent(url.pathname).split('/');
    if (named !== bucket) return answer(404, error('NoSuchBucket'));
    const key = rest.join('/');
    if (request.method === 'PUT') {
      objects.set(key, { bytes, type: request.headers['content-type'] ?? '', at: new Date() });
      return answer(200);
    }
    if (request.method === 'DELETE') {
      objects.delete(key);
      return answer(204);
    }
    if (key === '') return answer(200, listing(url.searchParams));
    const found = objects.get(key);
    return found ? answer(200, found.bytes, found.type) : answer(404, error('NoSuchKey'));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));

  function listing(asked: URLSearchParams): string {
    const prefix = asked.get('prefix') ?? '';
    const delimiter = asked.get('delimiter');
    const after = asked.get('continuation-token') ?? '';
    const names = [...objects.keys()].filter((key) => key.startsWith(prefix)).toSorted();
    const entries = delimiter
      ? [...new Set(names.map((key) => prefix + key.slice(prefix.length).split(delimiter)[0] + delimiter))]
      : names;
    const left = entries.filter((entry) => entry > after);
    const page = left.slice(0, state.pageSize);
    const more = left.length > page.length;
    const inside = page.map((entry) =>
      delimiter
        ? `<CommonPrefixes><Prefix>${entry}</Prefix></CommonPrefixes>`
        : `<Contents><Key>${entry}</Key><LastModified>${objects.get(entry)?.at.toISOString()}</LastModified></Contents>`,
    );
    const next = more ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : '';
    return `<ListBucketResult><IsTruncated>${more}</IsTruncated>${next}${inside.join('')}</ListBucketResult>`;
  }

  return {
    /** For the environment of the product. */
    environment: {
      S3_ENDPOINT: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      S3_BUCKET: bucket,
      S3_ACCESS_KEY_ID: accessKeyId,
      S3_SECRET_ACCESS_KEY: 'not so secret',
    },
    objects,
    state,
    close: () => {
      server.closeAllConnections();
      return new Promise<void>((done) => server.close(() => done()));
    },
  };
}

const error = (code: string): string => `<Error><Code>${code}</Code><Message>${code}</Message></Error>`;
