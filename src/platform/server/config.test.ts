import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ConfigError, loadConfig, variableNames } from './config.ts';

describe('loadConfig', () => {
  let dataDir: string;
  const load = (env: Record<string, string> = {}) => loadConfig({ DATA_DIR: dataDir, ...env });
  const problems = (env: Record<string, string>): string[] => {
    try {
      load(env);
    } catch (error) {
      if (error instanceof ConfigError) return error.problems;
      throw error;
    }
    return [];
  };

  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'config-'));
  });
  afterEach(() => rmSync(dataDir, { recursive: true }));

  it('needs nothing: every variable has a default', () => {
    expect(load()).toMatchObject({
      port: 3000,
      host: '127.0.0.1',
      publicUrl: 'http://localhost:3000',
      databaseUrl: undefined,
      role: 'all',
      signups: 'open',
      smtpUrl: undefined,
      allowPrivateSmtp: false,
      spamdUrl: undefined,
      billing: 'sandbox',
      dnsServers: [],
    });
  });

  it('makes the secret key once and keeps it from other users', () => {
    const { secretKey } = load();
    expect(secretKey.length).toBeGreaterThanOrEqual(32);
    expect(load().secretKey).toBe(secretKey);
    expect(statSync(join(dataDir, 'secret-key')).mode & 0o777).toBe(0o600);
    expect(load({ SECRET_KEY: 'k'.repeat(32) }).secretKey).toBe('k'.repeat(32));
  });

  it('takes an empty value for an absent one', () => {
    expect(load({ SMTP_URL: '', PORT: ' ' })).toMatchObject({ smtpUrl: undefined, port: 3000 });
  });

  it.each([
    ['10.0.0.5', ['10.0.0.5']],
    ['loopback, 10.0.0.0/8,fd00::/8', ['loopback', '10.0.0.0/8', 'fd00::/8']],
    ['2', 2],
    ['', ['loopback']],
  ])('takes %j as the proxies to trust', (value, expected) => {
    expect(load({ TRUST_PROXY: value }).trustProxy).toEqual(expected);
  });

  it.each(['everybody', 'true', '10.0.0.0/33', '10.0.0.5/', '10.0.0.5,', '10', '-1', 'balancer.example'])(
    'trusts no proxy called %j',
    (value) => expect(problems({ TRUST_PROXY: value })[0]).toMatch(/^TRUST_PROXY must be IP addresses/),
  );

  it('reports every bad value at once', () => {
    const found = problems({
      PORT: '70000',
      HOST: 'a b',
      SIGNUPS: 'no',
      SMTP_URL: 'http://x',
      METRICS_TOKEN: 'short',
    });
    expect(found.map((problem) => problem.split(' ')[0])).toEqual([
      'PORT',
      'HOST',
      'SIGNUPS',
      'SMTP_URL',
      'METRICS_TOKEN',
    ]);
  });

  it.each([
    [{ S3_BUCKET: 'b' }, ['S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY']],
    [{ OIDC_ISSUER: 'https://id.example' }, ['OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET']],
    [
      { OIDC_NAME: 'Harrowgate ID', OIDC_ONLY: 'on' },
      ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'],
    ],
    [{ BILLING: 'stripe' }, ['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET']],
    [{ BOUNCE_PORT: '25' }, ['BOUNCE_DOMAIN']],
    [{ ROLE: 'worker' }, ['DATABASE_URL', 'SECRET_KEY']],
  ])('%j asks for what belongs with it', (env, missing) => {
    expect(problems(env as Record<string, string>).map((problem) => problem.split(' ')[0])).toEqual(missing);
  });

  const oidc = { OIDC_CLIENT_ID: 'email-manager', OIDC_CLIENT_SECRET: 'a secret' };

  it('takes an identity provider, and calls it by its host unless it is given a name', () => {
    expect(load().oidc).toBeUndefined();
    expect(load({ ...oidc, OIDC_ISSUER: 'https://id.harrowgatefoods.co.uk/realms/staff/' }).oidc).toEqual({
      issuer: 'https://id.harrowgatefoods.co.uk/realms/staff',
      clientId: 'email-manager',
      clientSecret: 'a secret',
      name: 'id.harrowgatefoods.co.uk',
      only: false,
    });
    const named = {
      ...oidc,
      OIDC_ISSUER: 'http://localhost:8080',
      OIDC_NAME: 'Harrowgate ID',
      OIDC_ONLY: 'on',
    };
    expect(load(named).oidc).toMatchObject({ name: 'Harrowgate ID', only: true });
  });

  it.each([
    'http://id.harrowgatefoods.co.uk',
    'https://id.example/?tenant=a',
    'id.example',
    'ftp://id.example',
  ])('refuses the issuer %s', (issuer) => {
    expect(problems({ ...oidc, OIDC_ISSUER: issuer })[0]).toMatch(/^OIDC_ISSUER must/);
  });

  it.each(['1.1.1.1', '1.1.1.1:53, 8.8.8.8', '2606:4700::1111', '[2606:4700::1111]:5353'])(
    'reads name servers: %s',
    (text) => {
      expect(load({ DNS_SERVERS: text }).dnsServers).toEqual(text.split(',').map((server) => server.trim()));
    },
  );

  it('is described in the README, every variable and no other', () => {
    const readme = readFileSync(new URL('../../../README.md', import.meta.url), 'utf8');
    const described = [...readme.matchAll(/^\| ((?:`[A-Z0-9_]+`(?:, )?)+) \|/gm)].flatMap((row) =>
      [...(row[1] ?? '').matchAll(/`([A-Z0-9_]+)`/g)].map((name) => name[1]),
    );
    expect(described.sort()).toEqual([...variableNames].sort());
  });
});
