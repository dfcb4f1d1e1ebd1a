import { randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { fullAtStart, isOutOfRoom } from './disk/out-of-room.ts';
import { type PoolSizes, usualSizes, usualStreamWaitMs } from './pools.ts';
import { usualStallMs } from './slow-readers.ts';
import type { StartLimits } from './start-limits.ts';

/**
 * The environment is the whole configuration, and only this file reads it. An empty value counts as
 * absent, so `SMTP_URL= npm start` uses the default.
 */

const url = (...protocols: string[]) =>
  z
    .string()
    .refine(
      (value) => URL.canParse(value) && protocols.includes(new URL(value).protocol),
      `must be a URL beginning with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`,
    );
const wholeNumber = (least: number, most: number) =>
  z
    .string()
    .regex(/^\d+$/, `must be a whole number from ${least} to ${most}`)
    .transform(Number)
    .refine((value) => value >= least && value <= most, `must be a whole number from ${least} to ${most}`);
const choice = <const T extends readonly [string, ...string[]]>(...values: T) =>
  z.enum(values, { error: `must be one of: ${values.join(', ')}` });
const hostName = z
  .string()
  .regex(/^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}$/i, 'must be a host name');
const withoutEndSlash = (value: string) => value.replace(/\/+$/, '');

/**
 * We send the client's secret to the issuer, and it tells us who somebody is. Nobody may read or
 * change that on the way.
 */
function isSafeIssuer(value: string): boolean {
  const { protocol, hostname, search, hash } = new URL(value);
  const isOwnMachine = hostname === 'localhost' || hostname === '[::1]' || /^127\./.test(hostname);
  return search === '' && hash === '' && (protocol === 'https:' || isOwnMachine);
}

/** An IP address, alone or with a port: `1.1.1.1`, `1.1.1.1:53`, `[2606:4700::1111]:53`. */
function isNameServer(value: string): boolean {
  const withPort = /^(?:\[(.+)\]|([^:]+)):(\d{1,5})$/.exec(value);
  if (withPort) return isIP(withPort[1] ?? withPort[2] ?? '') !== 0 && Number(withPort[3]) <= 65535;
  return isIP(value) !== 0;
}

/** Network names that Fastify knows: 127.0.0.0/8, link-local, and private addresses. */
const namedNetworks = ['loopback', 'linklocal', 'uniquelocal'];

/** `10.0.0.5`, `10.0.0.0/8`, `fd00::/8`, or a network by name. */
function isNetwork(value: string): boolean {
  if (namedNetworks.includes(value)) return true;
  const [address = '', bits, ...rest] = value.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
}

const trustedProxies = z
  .string()
  .transform((value) => (/^\d$/.test(value) ? Number(value) : value.split(',').map((one) => one.trim())))
  .refine(
    (value) => typeof value === 'number' || value.every(isNetwork),
    `must be IP addresses and networks (10.0.0.0/8, ${namedNetworks.join(', ')}) separated by commas, or a number of proxies up to 9`,
  );

const variables = z.object({
  PORT: wholeNumber(0, 65535).default(3000),
  HOST: z
    .string()
    .refine(
      (value) => isIP(value) !== 0 || /^[a-z0-9.-]+$/i.test(value),
      'must be an IP address or a host name',
    )
    .default('127.0.0.1'),
  PUBLIC_URL: url('http:', 'https:').transform(withoutEndSlash).optional(),
  TRUST_PROXY: trustedProxies.default(['loopback']),
  DATA_DIR: z.string().default('./data'),
  DATABASE_URL: url('postgres:', 'postgresql:').optional(),
  WITHOUT_ROW_LEVEL_SECURITY: choice('refuse', 'accept').default('refuse'),
  POOL_INTERACTIVE: wholeNumber(2, 500).default(usualSizes.interactive),
  POOL_BACKGROUND: wholeNumber(2, 500).default(usualSizes.background),
  POOL_STREAMS: wholeNumber(1, 500).default(usualSizes.streams),
  POOL_PUBLIC: wholeNumber(1, 500).default(usualSizes.public),
  ROLE: choice('all', 'web', 'worker').default('all'),
  SECRET_KEY: z
    .string()
    .min(32, 'must be at least 32 characters, for example from `openssl rand -base64 48`')
    .optional(),
  PREVIOUS_SECRET_KEYS: z
    .string()
    .transform((value) => value.split(',').map((key) => key.trim()))
    .refine(
      (keys) => keys.every((key) => key.length >= 32),
      'must be keys of at least 32 characters, separated by commas',
    )
    .optional(),
  ADMIN_EMAIL: z.email('must be an email address').toLowerCase().optional(),
  SIGNUPS: choice('open', 'invite').default('open'),
  SENDING: choice('on', 'off').default('on'),
  SMTP_URL: url('smtp:', 'smtps:').optional(),
  ALLOW_PRIVATE_SMTP: choice('on', 'off').default('off'),
  MAIL_FROM: z.email('must be an email address').optional(),
  BOUNCE_DOMAIN: hostName.toLowerCase().optional(),
  BOUNCE_PORT: wholeNumber(0, 65535).optional(),
  BOUNCE_MAILBOX_URL: url('imap:', 'imaps:').optional(),
  SPAMD_URL: url('spamd:').optional(),
  DNS_SERVERS: z
    .string()
    .transform((value) => value.split(',').map((server) => server.trim()))
    .refine(
      (servers) => servers.every(isNameServer),
      'must be IP addresses separated by commas, each with or without :port',
    )
    .optional(),
  S3_ENDPOINT: url('http:', 'https:').transform(withoutEndSlash).optional(),
  S3_REGION: z.string().optional(),
  S3_BUCKET: z.string().optional(),
  S3_ACCESS_KEY_ID: z.string().optional(),
  S3_SECRET_ACCESS_KEY: z.string().optional(),
  BILLING: choice('sandbox', 'stripe', 'off').default('sandbox'),
  STRIPE_SECRET_KEY: z.string().startsWith('sk_', 'must begin with sk_').optional(),
  STRIPE_WEBHOOK_SECRET: z.string().startsWith('whsec_', 'must begin with whsec_').optional(),
  OIDC_ISSUER: url('https:', 'http:')
    .refine(
      (value) => !URL.canParse(value) || isSafeIssuer(value),
      'must begin with https:// (http:// only on this machine) and have no ? or #',
    )
    .transform(withoutEndSlash)
    .optional(),
  OIDC_CLIENT_ID: z.string().optional(),
  OIDC_CLIENT_SECRET: z.string().optional(),
  OIDC_NAME: z.string().max(40, 'must have at most 40 characters').optional(),
  OIDC_ONLY: choice('on', 'off').optional(),
  LOG_LEVEL: choice('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent').default('info'),
  METRICS_TOKEN: z.string().min(16, 'must be at least 16 characters').optional(),
  LIMIT_SIGN_INS: wholeNumber(1, 1_000_000).default(60),
  LIMIT_SIGN_UPS: wholeNumber(1, 1_000_000).default(20),
  LIMIT_VERIFICATIONS: wholeNumber(1, 1_000_000).default(120),
  LIMIT_IMPORTS: wholeNumber(1, 1_000_000).default(20),
  LIMIT_IMPORTS_AT_ONCE: wholeNumber(1, 1_000_000).default(5),
  LIMIT_KEY_CALLS: wholeNumber(1, 1_000_000).default(600),
  DOWNLOAD_WAIT_SECONDS: wholeNumber(1, 3600).default(usualStreamWaitMs / 1000),
  DOWNLOAD_STALL_SECONDS: wholeNumber(1, 3600).default(usualStallMs / 1000),
  DRAIN_SECONDS: wholeNumber(0, 300).optional(),
});
type Variables = z.output<typeof variables>;
type VariableName = keyof Variables;

/** The name of every variable the product reads. A test checks the README's table against it. */
export const variableNames = Object.keys(variables.shape) as VariableName[];

/** The identity provider that people may sign in through. */
export interface OidcConfig {
  /** Without a trailing slash. */
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** The name that people know it by. */
  name: string;
  /** Passwords are neither accepted nor created. */
  only: boolean;
}

export interface Config {
  /** 0 means any free port. */
  port: number;
  host: string;
  /** Where people reach the product, without a trailing slash. */
  publicUrl: string;
  /**
   * Whom to trust about the address a call comes from: these networks, or this many proxies in
   * front of the product.
   */
  trustProxy: string[] | number;
  /**
   * Absolute path of the folder for everything outside the database (and for the embedded
   * database).
   */
  dataDir: string;
  /** Absent: use the embedded PostgreSQL under `dataDir`. */
  databaseUrl: string | undefined;
  /** Whether to start on a database where row-level security would not bind the product. */
  withoutRowLevelSecurity: 'refuse' | 'accept';
  /** The most database connections for each purpose. */
  connections: PoolSizes;
  role: 'all' | 'web' | 'worker';
  /** At least 32 characters. Signs sessions and links, and encrypts stored secrets. */
  secretKey: string;
  /** Keys that were used before. What they have encrypted is encrypted again with `secretKey`. */
  previousSecretKeys: string[];
  adminEmail: string | undefined;
  signups: 'open' | 'invite';
  /** `off`: no mail of any kind leaves. For data from a backup, which says again what has left. */
  sending: 'on' | 'off';
  /** Absent: mail goes to the built-in outbox and never leaves the machine. */
  smtpUrl: string | undefined;
  /** Whether workspaces may send through hosts off the public internet. */
  allowPrivateSmtp: boolean;
  /** The sender of the product's own mail. */
  mailFrom: string;
  bounce: { domain: string | undefined; port: number | undefined; mailboxUrl: string | undefined };
  /** SpamAssassin, which campaigns are shown before they are sent: `spamd://host:port`. */
  spamdUrl: string | undefined;
  /** Empty: use the machine's own resolver. */
  dnsServers: string[];
  /** Where images are kept. Absent: under `dataDir`. */
  s3:
    | {
        endpoint: string | undefined;
        region: string;
        bucket: string;
        accessKeyId: string;
        secretAccessKey: string;
      }
    | undefined;
  billing: 'sandbox' | 'stripe' | 'off';
  stripe: { secretKey: string; webhookSecret: string } | undefined;
  oidc: OidcConfig | undefined;
  logLevel: Variables['LOG_LEVEL'];
  metricsToken: string | undefined;
  limits: {
    /** Per minute and network address. */
    signIns: number;
    signUps: number;
    /** Single addresses per minute, for one person in one process. */
    verifications: number;
    /**
     * Imports of contacts. Imports of suppression lists have the same limits, counted separately.
     */
    imports: StartLimits;
    /** Calls per minute for one API key. */
    keyCalls: number;
  };
  downloads: {
    /** How long one waits for its turn. */
    waitMs: number;
    /** How long a reader may take nothing. */
    stallMs: number;
  };
  /** How long a stopping process still serves calls while it reports that it is not ready. */
  drainSeconds: number;
}

/**
 * The environment is wrong. `problems` has one sentence for each bad variable, so that the operator
 * can fix them all at once.
 */
export class ConfigError extends Error {
  readonly problems: string[];

  constructor(problems: string[]) {
    super(`The configuration is wrong:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
    this.name = 'ConfigError';
    this.problems = problems;
  }
}

/**
 * Variables that only make sense together. Setting any of the first list requires all of the
 * second.
 */
const together: { any: VariableName[]; all: VariableName[] }[] = [
  {
    any: ['S3_ENDPOINT', 'S3_REGION', 'S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'],
    all: ['S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'],
  },
  {
    any: ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET', 'OIDC_NAME', 'OIDC_ONLY'],
    all: ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'],
  },
  { any: ['BOUNCE_PORT', 'BOUNCE_MAILBOX_URL'], all: ['BOUNCE_DOMAIN'] },
];

function problemsAcross(given: Partial<Record<VariableName, string>>): string[] {
  const problems: string[] = [];
  for (const { any, all } of together) {
    const reason = any.find((name) => given[name] !== undefined);
    if (reason === undefined) continue;
    for (const name of all)
      if (given[name] === undefined) problems.push(`${name} is needed because ${reason} is set`);
  }
  if (given.BILLING === 'stripe') {
    for (const name of ['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET'] as const) {
      if (given[name] === undefined) problems.push(`${name} is needed because BILLING is stripe`);
    }
  }
  if (given.ROLE === 'web' || given.ROLE === 'worker') {
    const because = `because ROLE is ${given.ROLE}: separate processes share one`;
    if (given.DATABASE_URL === undefined)
      problems.push(`DATABASE_URL is needed ${because} PostgreSQL server`);
    if (given.SECRET_KEY === undefined) problems.push(`SECRET_KEY is needed ${because} key`);
  }
  return problems;
}

/**
 * Writes `content` to `path` with mode 0600 unless the file exists, and returns what the file then
 * holds. The file appears whole or not at all, even when two processes start at once.
 */
export function keepSecretFile(path: string, content: () => string): string {
  const draft = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`;
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  try {
    writeFileSync(draft, `${content()}\n`, { mode: 0o600, flush: true });
    linkSync(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(draft, { force: true });
  }
  return readFileSync(path, 'utf8').trim();
}

function keptSecretKey(dataDir: string): string {
  try {
    mkdirSync(dataDir, { recursive: true });
    const key = keepSecretFile(join(dataDir, 'secret-key'), () => randomBytes(48).toString('base64url'));
    if (key.length >= 32) return key;
  } catch (error) {
    if (isOutOfRoom(error)) throw new Error(fullAtStart(dataDir), { cause: error });
    throw new ConfigError([`DATA_DIR (${dataDir}) cannot be written: ${(error as Error).message}`]);
  }
  throw new ConfigError([
    `${join(dataDir, 'secret-key')} is damaged (shorter than 32 characters): restore it from a backup`,
  ]);
}

/**
 * Reads and checks the environment. Creates DATA_DIR, and in it `secret-key` (0600) when SECRET_KEY
 * is absent. Throws one `ConfigError` that names every bad value.
 */
export function loadConfig(env: Record<string, string | undefined>): Config {
  const given: Partial<Record<VariableName, string>> = {};
  for (const name of variableNames) {
    const value = env[name]?.trim();
    if (value) given[name] = value;
  }
  const parsed = variables.safeParse(given);
  const problems = parsed.success
    ? []
    : parsed.error.issues.map((issue) => `${String(issue.path[0])} ${issue.message}`);
  problems.push(...problemsAcross(given));
  if (!parsed.success || problems.length > 0) throw new ConfigError(problems);
  return assemble(parsed.data);
}

function assemble(value: Variables): Config {
  const dataDir = resolve(value.DATA_DIR);
  const publicUrl = value.PUBLIC_URL ?? `http://localhost:${value.PORT}`;
  const { S3_BUCKET: bucket, S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = value;
  const { STRIPE_SECRET_KEY: stripeKey, STRIPE_WEBHOOK_SECRET: webhookSecret } = value;
  return {
    port: value.PORT,
    host: value.HOST,
    publicUrl,
    trustProxy: value.TRUST_PROXY,
    dataDir,
    databaseUrl: value.DATABASE_URL,
    withoutRowLevelSecurity: value.WITHOUT_ROW_LEVEL_SECURITY,
    connections: {
      interactive: value.POOL_INTERACTIVE,
      background: value.POOL_BACKGROUND,
      streams: value.POOL_STREAMS,
      public: value.POOL_PUBLIC,
    },
    role: value.ROLE,
    secretKey: value.SECRET_KEY ?? keptSecretKey(dataDir),
    previousSecretKeys: value.PREVIOUS_SECRET_KEYS ?? [],
    adminEmail: value.ADMIN_EMAIL,
    signups: value.SIGNUPS,
    sending: value.SENDING,
    smtpUrl: value.SMTP_URL,
    allowPrivateSmtp: value.ALLOW_PRIVATE_SMTP === 'on',
    mailFrom: value.MAIL_FROM ?? `no-reply@${new URL(publicUrl).hostname}`,
    bounce: { domain: value.BOUNCE_DOMAIN, port: value.BOUNCE_PORT, mailboxUrl: value.BOUNCE_MAILBOX_URL },
    spamdUrl: value.SPAMD_URL,
    dnsServers: value.DNS_SERVERS ?? [],
    s3:
      bucket && accessKeyId && secretAccessKey
        ? {
            endpoint: value.S3_ENDPOINT,
            region: value.S3_REGION ?? 'us-east-1',
            bucket,
            accessKeyId,
            secretAccessKey,
          }
        : undefined,
    billing: value.BILLING,
    stripe: stripeKey && webhookSecret ? { secretKey: stripeKey, webhookSecret } : undefined,
    oidc: oidcOf(value),
    logLevel: value.LOG_LEVEL,
    metricsToken: value.METRICS_TOKEN,
    limits: {
      signIns: value.LIMIT_SIGN_INS,
      signUps: value.LIMIT_SIGN_UPS,
      verifications: value.LIMIT_VERIFICATIONS,
      imports: { aMinute: value.LIMIT_IMPORTS, atOnce: value.LIMIT_IMPORTS_AT_ONCE },
      keyCalls: value.LIMIT_KEY_CALLS,
    },
    downloads: { waitMs: value.DOWNLOAD_WAIT_SECONDS * 1000, stallMs: value.DOWNLOAD_STALL_SECONDS * 1000 },
    // Behind a balancer, other processes take the new calls meanwhile. A process on its own has
    // nobody to hand them to.
    drainSeconds: value.DRAIN_SECONDS ?? (value.ROLE === 'web' ? 5 : 0),
  };
}

function oidcOf(value: Variables): OidcConfig | undefined {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret } = value;
  if (!issuer || !clientId || !clientSecret) return undefined;
  const name = value.OIDC_NAME ?? new URL(issuer).host;
  return { issuer, clientId, clientSecret, name, only: value.OIDC_ONLY === 'on' };
}

/** Variables that are read and checked but not used by this version yet. */
export function unusedSettings(config: Config): { name: string; isSet: boolean }[] {
  return [
    { name: 'BILLING', isSet: config.billing !== 'sandbox' },
    { name: 'STRIPE_*', isSet: config.stripe !== undefined },
  ];
}
