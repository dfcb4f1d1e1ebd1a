import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LightMyRequestResponse } from 'fastify';
import { type ComposeOptions, type Composition, compose } from '#apps/compose.ts';
import { keyCallsPort } from '#features/api-keys/server/index.ts';
import { type Imports, importsPort } from '#features/imports/server/index.ts';
import { longestUploadPort } from '#features/settings/server/index.ts';
import { rateLimitsPort } from '#features/sign-in/server/index.ts';
import type { SignInOptions } from '#features/sign-in/server/sign-in.ts';
import { type Tasks, tasksPort } from '#features/tasks/server/index.ts';
import { loadConfig } from '#platform/server/config.ts';
import { openDatabase } from '#platform/server/database.ts';
import { createLogger } from '#platform/server/logging.ts';
import { offer } from '#platform/server/ports.ts';
import { watchAnswers } from './answers.ts';
import { createTestDatabase } from './database.ts';
import { manyCalls } from './people.ts';

/** The product as composed in production, plus what tests need most. */
export interface TestComposition extends Composition {
  tasks: Tasks;
  imports: Imports;
}

export interface TestApp extends TestComposition {
  appUrl: string;
  /** The same database for its tables' owner. */
  ownerUrl: string;
  dataDir: string;
  /** The same database as the tables' owner. */
  owner: ReturnType<typeof openDatabase>;
  /** Composes the product again on the same database and files, as after a restart. */
  again(): Promise<TestComposition>;
  close(): Promise<void>;
}

interface TestLimits {
  /** Calls per minute for one API key. */
  apiKeyLimit?: number;
  rateLimits?: SignInOptions['rateLimits'];
  /** Seconds that an upload may take at most. */
  longestUploadSeconds?: number;
}

export async function openTestApp(
  env: Record<string, string> = {},
  {
    apiKeyLimit,
    rateLimits = manyCalls,
    longestUploadSeconds,
    ...options
  }: Pick<ComposeOptions, 'disk' | 'features' | 'webFolder'> & TestLimits = {},
): Promise<TestApp> {
  const testDatabase = await createTestDatabase();
  const dataDir = await mkdtemp(join(tmpdir(), 'email-manager-test-'));
  const config = loadConfig({
    DATA_DIR: dataDir,
    LOG_LEVEL: process.env.TEST_LOG ?? 'silent',
    // A test does in a second what people do in a morning.
    LIMIT_IMPORTS: '10000',
    LIMIT_IMPORTS_AT_ONCE: '1000',
    // Nobody answers there: no test asks the name servers of the machine.
    DNS_SERVERS: '127.0.0.1:9',
    ...env,
  });
  const log = createLogger(config.logLevel);
  const offers = [
    offer(rateLimitsPort, rateLimits),
    ...(apiKeyLimit === undefined ? [] : [offer(keyCallsPort, apiKeyLimit)]),
    ...(longestUploadSeconds === undefined ? [] : [offer(longestUploadPort, longestUploadSeconds)]),
  ];
  const running = { appUrl: testDatabase.appUrl };
  const begin = async (): Promise<TestComposition> => {
    const made = await compose({ config, log, running, offers, ...options });
    watchAnswers(made.app);
    return { ...made, tasks: made.use(tasksPort), imports: made.use(importsPort) };
  };
  const composition = await begin();
  const owner = openDatabase({ url: testDatabase.ownerUrl, maxConnections: 1 });
  const others: TestComposition[] = [];
  return {
    ...composition,
    appUrl: testDatabase.appUrl,
    ownerUrl: testDatabase.ownerUrl,
    dataDir,
    owner,
    async again() {
      const other = await begin();
      others.push(other);
      return other;
    },
    async close() {
      await composition.stop();
      for (const other of others) await other.stop();
      await owner.close();
      await testDatabase.drop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** The body and headers of a form with the given fields, in the given order. */
export function formOf(fields: [name: string, value: string | Uint8Array, fileName?: string][]) {
  const boundary = 'test-form-boundary';
  const pieces: Uint8Array[] = [];
  for (const [name, value, fileName] of fields) {
    const file = fileName === undefined ? '' : `; filename="${fileName}"`;
    pieces.push(
      Buffer.from(`--${boundary}\r\ncontent-disposition: form-data; name="${name}"${file}\r\n\r\n`),
    );
    pieces.push(Buffer.from(value), Buffer.from('\r\n'));
  }
  pieces.push(Buffer.from(`--${boundary}--\r\n`));
  return {
    payload: Buffer.concat(pieces),
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
  };
}

/** Imports a file the way `curl -F file=@…` does. */
export async function importCsv(
  app: Composition['app'],
  cookie: string,
  csv: string | Uint8Array,
  form: { fileName?: string; options?: object; reading?: object; dryRun?: boolean; headers?: object } = {},
): Promise<LightMyRequestResponse> {
  const fields: Parameters<typeof formOf>[0] = [];
  if (form.options) fields.push(['options', JSON.stringify(form.options)]);
  if (form.reading) fields.push(['reading', JSON.stringify(form.reading)]);
  if (form.dryRun) fields.push(['dryRun', 'true']);
  fields.push(['file', csv, form.fileName ?? 'list.csv']);
  const { payload, headers } = formOf(fields);
  return app.inject({
    method: 'POST',
    url: '/api/emails/import',
    headers: { ...headers, ...form.headers, cookie },
    payload,
  });
}
