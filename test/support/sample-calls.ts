export { features } from '#apps/features.ts';
export { allEndpoints, apiDocument } from '#apps/openapi.ts';

import { globSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { NamedEndpoint } from '#platform/server/openapi.ts';
import type { EndpointDefinition } from '#platform/shared/contract.ts';
import { once } from '#platform/shared/feature-words.ts';
import { formOf, type TestApp } from './app.ts';
import { newSession, type OwnRows } from './own-rows.ts';
import { type SignedIn, signUp, testPassword } from './sign-in.ts';

/**
 * One successful call of each endpoint, on rows of any workspace. The tests of access rights and of
 * nonsense use these to go through all endpoints. If an endpoint with input has no sample, they
 * fail with a sentence that says what to add.
 */
export interface SampleCall {
  params?: Record<string, string | number>;
  query?: Record<string, string | number>;
  body?: object;
  form?: Parameters<typeof formOf>[0];
}

export interface Sample {
  /** On rows of a workspace, and on what belongs to `who`. */
  make?(rows: OwnRows, who: SignedIn, test: TestApp): SampleCall | Promise<SampleCall>;
  /**
   * The status of an allowed call that still fails, because success would take more than a call.
   */
  answers?: number;
  /**
   * The status for another workspace's rows if it is not 404. The call does nothing to those rows.
   */
  withTheirs?: number;
  /** It names something that belongs to a person, besides the rows from `rows`. */
  ofCaller?: true;
  /**
   * The call changes the caller: out of the workspace, with another password, in another workspace.
   */
  changesCaller?: true;
  /** What the call takes besides a filter, where it takes one and needs more. */
  besidesFilter?: object;
}

/** By the method and path of the call: `DELETE /api/notes/:id`. */
export type Samples = Readonly<Record<string, Sample>>;

let count = 0;
const fresh = (domain = 'example.co.uk') => {
  count += 1;
  return `sample${count}@${domain}`;
};
const password = testPassword;
const noSuchToken = 'no-such-token-no-such-token';
const ids = async (id: Promise<number>) => ({ ids: [await id] });

const someUser: Sample['make'] = async (_rows, _who, test) => ({
  params: { id: (await signUp(test.app)).userId },
});
const endedTask: Sample['make'] = async (rows) => ({
  params: { workspaceId: rows.owner.workspaceId, id: (await rows.verification()).taskId },
});
const someJob = { name: 'mail.deliver', id: '6f9619ff-8b86-4d01-b42d-00cf4fc964ff' };

const ownSamples: Samples = {
  // Sign-in, account, workspaces
  'GET /api/metrics': { answers: 404 },
  'GET /api/login': { make: () => ({ query: { next: '/imports' } }) },
  // None of these exist when no identity provider is configured.
  'GET /api/auth/oauth2/callback/oidc': { answers: 404 },
  'POST /api/account/provider': { make: () => ({ body: { password } }), answers: 404 },
  'DELETE /api/account/provider': { make: () => ({ body: { password } }), answers: 404 },
  'PATCH /api/account': { make: () => ({ body: { name: 'Priya Shah' } }) },
  'POST /api/account/password': {
    make: () => ({ body: { currentPassword: password, newPassword: 'eight grey herons wade' } }),
    changesCaller: true,
  },
  'POST /api/account/email': { make: () => ({ body: { email: fresh('gmail.com'), password } }) },
  'POST /api/account/email/proof': { changesCaller: true },
  'POST /api/auth/confirm-email': { make: () => ({ body: { token: noSuchToken } }), answers: 410 },
  'POST /api/auth/forgot-password': { make: () => ({ body: { email: fresh() } }) },
  'POST /api/auth/reset-password': { make: () => ({ body: { token: noSuchToken, password } }), answers: 410 },
  'POST /api/auth/two-factor': { make: () => ({ body: { code: '123456' } }), answers: 410 },
  'DELETE /api/account/sessions/:id': {
    make: async (_rows, who, test) => ({ params: { id: await newSession(test, who) } }),
    ofCaller: true,
  },
  'POST /api/account/two-factor': { make: () => ({ body: { password } }), changesCaller: true },
  'POST /api/account/two-factor/confirm': { make: () => ({ body: { code: '123456' } }), answers: 409 },
  'DELETE /api/account/two-factor': { make: () => ({ body: { password } }), answers: 409 },
  'POST /api/account/two-factor/recovery-codes': { make: () => ({ body: { password } }), answers: 409 },
  'POST /api/workspaces': { make: () => ({ body: { name: 'Another one' } }), changesCaller: true },
  'POST /api/workspaces/current': {
    make: (rows) => ({ body: { id: rows.owner.workspaceId } }),
    ofCaller: true,
    changesCaller: true,
  },
  'PATCH /api/workspaces/current': { make: () => ({ body: { name: 'Millbank Tools' } }) },
  // Team
  'PATCH /api/team/members/:id': {
    make: async (rows) => ({ params: { id: await rows.member() }, body: { role: 'editor' } }),
  },
  'DELETE /api/team/members/:id': { make: async (rows) => ({ params: { id: await rows.member() } }) },
  // Switching it on needs a second factor, which none of the callers has.
  'PATCH /api/team/security': { make: () => ({ body: { requireTwoFactor: false } }) },
  'POST /api/team/leave': { changesCaller: true },
  'POST /api/team/transfer': {
    make: async (rows) => ({ body: { memberId: await rows.member(), password } }),
    changesCaller: true,
  },
  'POST /api/team/invitations': { make: () => ({ body: { email: fresh('gmail.com'), role: 'viewer' } }) },
  'POST /api/team/invitations/several': {
    make: () => ({ body: { emails: [fresh('gmail.com'), fresh('gmail.com')], role: 'viewer' } }),
  },
  'POST /api/team/invitations/:id/resend': {
    make: async (rows) => ({ params: { id: (await rows.invitation()).id } }),
  },
  'DELETE /api/team/invitations/:id': {
    make: async (rows) => ({ params: { id: (await rows.invitation()).id } }),
  },
  'GET /api/invitations/:token': {
    make: async (rows) => ({ params: { token: (await rows.invitation()).token } }),
  },
  'POST /api/invitations/:token/accept': {
    make: async (rows) => ({ params: { token: (await rows.invitation()).token } }),
    // Each is for the invited address, which belongs to none of the callers.
    answers: 403,
    withTheirs: 403,
  },
  'POST /api/invitations/:token/decline': {
    make: async (rows) => ({ params: { token: (await rows.invitation()).token } }),
  },
  // Invitations to the caller's own, confirmed address. None is to one of the callers.
  'POST /api/account/invitations/:id/accept': {
    make: async (rows) => ({ params: { id: (await rows.invitation()).id } }),
    answers: 404,
  },
  'POST /api/account/invitations/:id/decline': {
    make: async (rows) => ({ params: { id: (await rows.invitation()).id } }),
    answers: 404,
  },
  // Contacts
  'POST /api/emails': { make: () => ({ body: { email: fresh(), notes: 'Met in York' } }) },
  'GET /api/emails/:id': { make: async (rows) => ({ params: { id: await rows.contact() } }) },
  'PATCH /api/emails/:id': {
    make: async (rows) => ({
      params: { id: await rows.contact() },
      body: { lastName: fresh(), notes: null },
    }),
  },
  'DELETE /api/emails/:id': { make: async (rows) => ({ params: { id: await rows.contact() } }) },
  'GET /api/emails/:id/timeline': { make: async (rows) => ({ params: { id: await rows.contact() } }) },
  'GET /api/emails/:id/verification': { make: async (rows) => ({ params: { id: await rows.contact() } }) },
  'DELETE /api/emails/bulk': {
    make: async (rows) => ({ body: await ids(rows.contact()) }),
    withTheirs: 200,
  },
  'POST /api/emails/count': { make: async (rows) => ({ body: await ids(rows.contact()) }), withTheirs: 200 },
  'GET /api/emails/export': {
    make: async (rows) => ({ query: { ids: await rows.contact(), format: 'csv' } }),
    withTheirs: 200,
  },
  'POST /api/emails/export': {
    make: async (rows) => ({ body: await ids(rows.contact()), query: { format: 'json' } }),
    withTheirs: 200,
  },
  'POST /api/removals/:id/restore': { make: async (rows) => ({ params: { id: await rows.removal() } }) },
  'GET /api/removals/:id/contacts': { make: async (rows) => ({ params: { id: await rows.removal() } }) },
  'GET /api/removals/:id/receipt': { make: async (rows) => ({ params: { id: await rows.removal() } }) },
  // Suppressions
  'POST /api/suppressions/email': { make: async (rows) => ({ body: { emailId: await rows.contact() } }) },
  'POST /api/suppressions/emails': {
    make: async (rows) => ({ body: await ids(rows.contact()) }),
    withTheirs: 200,
  },
  'POST /api/suppressions/email/manual': { make: () => ({ body: { email: fresh() } }) },
  'POST /api/suppressions/domain': { make: () => ({ body: { domain: fresh().replace('@', '.') } }) },
  'GET /api/suppressions/domains/preview': { make: () => ({ query: { domain: 'acme.co.uk' } }) },
  'DELETE /api/suppressions/email/:id': {
    make: async (rows) => ({ params: { id: await rows.emailSuppression() }, body: { reason: 'By mistake' } }),
  },
  'DELETE /api/suppressions/domain/:id': {
    make: async (rows) => ({ params: { id: await rows.domainSuppression() }, body: {} }),
  },
  'DELETE /api/suppressions/emails': {
    make: async (rows) => ({ body: await ids(rows.emailSuppression()) }),
    withTheirs: 200,
  },
  'DELETE /api/suppressions/domains': {
    make: async (rows) => ({ body: await ids(rows.domainSuppression()) }),
    withTheirs: 200,
  },
  'POST /api/suppressions/liftings/:id/undo': {
    make: async (rows) => ({ params: { id: await rows.lifting() } }),
  },
  'POST /api/suppressions/import': {
    make: () => ({ form: [['file', `${fresh()}\n`, 'stop.txt']] }),
  },
  'GET /api/suppressions/imports/:id': {
    make: async (rows) => ({ params: { id: await rows.suppressionImport() } }),
  },
  'GET /api/suppressions/imports/:id/receipt': {
    make: async (rows) => ({ params: { id: await rows.suppressionImport() } }),
  },
  // Imports
  'POST /api/emails/import': { make: () => ({ form: [['file', `email\n${fresh()}\n`, 'list.csv']] }) },
  'GET /api/imports/:id': { make: async (rows) => ({ params: { id: await rows.importRecord() } }) },
  'GET /api/imports/:id/events': { make: async (rows) => ({ params: { id: await rows.importRecord() } }) },
  'GET /api/imports/:id/receipt': { make: async (rows) => ({ params: { id: await rows.importRecord() } }) },
  'GET /api/imports/:id/rejected': { make: async (rows) => ({ params: { id: await rows.importRecord() } }) },
  'POST /api/imports/:id/rejected/correct': {
    make: async (rows) => ({
      params: { id: await rows.importRecord() },
      body: { line: 3, email: fresh('gmail.com') },
    }),
  },
  'POST /api/imports/:id/undo': { make: async (rows) => ({ params: { id: await rows.importRecord() } }) },
  'POST /api/imports/:id/check': {
    make: async (rows) => ({ params: { id: await rows.keptFile() }, body: {} }),
  },
  'PATCH /api/imports/:id': {
    make: async (rows) => ({ params: { id: await rows.keptFile() }, body: { listId: null, tagIds: [] } }),
  },
  'POST /api/imports/:id/run': {
    make: async (rows) => ({ params: { id: await rows.keptFile() }, body: {} }),
  },
  'DELETE /api/imports/:id': { make: async (rows) => ({ params: { id: await rows.keptFile() } }) },
  // Verification and review
  'POST /api/verify': { make: () => ({ body: { email: fresh() } }) },
  'POST /api/verifications': {
    make: async (rows) => ({ body: { selection: await ids(rows.contact()), dns: false } }),
    withTheirs: 200,
  },
  'GET /api/verifications/:id': {
    make: async (rows) => ({ params: { id: (await rows.verification()).runId } }),
  },
  'GET /api/review/corrections/contacts': {
    make: () => ({ query: { from: 'gmial.com', to: 'gmail.com' } }),
  },
  'POST /api/review/corrections/accept': {
    make: async (rows) => ({ body: await ids(rows.slip()) }),
    withTheirs: 200,
  },
  'POST /api/review/corrections/dismiss': {
    make: async (rows) => ({ body: await ids(rows.slip()) }),
    withTheirs: 200,
  },
  'GET /api/corrections/:id/contacts': {
    make: async (rows) => ({ params: { id: await rows.correction() } }),
  },
  'POST /api/corrections/:id/undo': { make: async (rows) => ({ params: { id: await rows.correction() } }) },
  'POST /api/review/duplicates/merge': {
    make: async (rows) => {
      const { keepId, otherIds } = await rows.twins();
      return { body: { keepId, otherIds } };
    },
  },
  'POST /api/merges/:id/undo': { make: async (rows) => ({ params: { id: await rows.merge() } }) },
  'POST /api/review/duplicates/dismiss': {
    make: async (rows) => ({ body: { mailbox: (await rows.twins()).mailbox } }),
  },
  // Tasks
  'GET /api/tasks/:id': { make: async (rows) => ({ params: { id: (await rows.verification()).taskId } }) },
  'GET /api/tasks/:id/events': {
    make: async (rows) => ({ params: { id: (await rows.verification()).taskId } }),
  },
  'POST /api/tasks/:id/cancel': {
    make: async (rows) => ({ params: { id: (await rows.verification()).taskId } }),
    answers: 409,
  },
  // These tests have no mail server, so a stored mail cannot be sent.
  'POST /api/outbox/:id/send': {
    make: async (rows) => ({ params: { id: await rows.mail() } }),
    answers: 409,
  },
  // The administrator's
  'POST /api/admin/outbox/:id/send': {
    make: async (rows) => ({ params: { id: await rows.mail() } }),
    answers: 409,
  },
  'POST /api/admin/users/:id/suspend': { make: someUser },
  'POST /api/admin/users/:id/lift': { make: someUser, answers: 409 },
  'POST /api/admin/users/:id/sign-out': { make: someUser },
  'POST /api/admin/tasks/:workspaceId/:id/cancel': { make: endedTask, answers: 409 },
  'POST /api/admin/tasks/:workspaceId/:id/retry': { make: endedTask, answers: 409 },
  // These tests run no job queue.
  'POST /api/admin/jobs/:name/:id/retry': { make: () => ({ params: someJob }), answers: 503 },
  'POST /api/admin/jobs/:name/:id/cancel': { make: () => ({ params: someJob }), answers: 503 },
  'PATCH /api/account/notifications': { make: () => ({ body: { finished: true } }) },
  'PATCH /api/settings': { make: () => ({ body: { import: { batchSize: 1000 } } }) },
};

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The samples that a feature keeps in its folder, as `samples` of its `sample-calls.ts`. */
const featureSamples: Samples[] = await Promise.all(
  globSync('src/features/*/sample-calls.ts', { cwd: root }).map(
    async (file) => (await import(/* @vite-ignore */ join(root, file))).samples,
  ),
);

const samples: Samples = Object.fromEntries(once([ownSamples, ...featureSamples]));

export const nameOf = ({ method, path }: EndpointDefinition): string => `${method} ${path}`;

/**
 * What to add for an endpoint that takes a row or a body and has no sample. Undefined when it has
 * one.
 */
export function missingSample({ definition }: NamedEndpoint): string | undefined {
  const name = nameOf(definition);
  const { params, body } = definition;
  if (samples[name] || !(params || body)) return undefined;
  return `${name} has no sample: add one to the sample-calls.ts in its feature's folder that ${
    params ? 'names a row made by `rows`' : 'has a body that the call takes'
  }, so that it is tried who may make it.`;
}

/** Samples of calls that no longer exist. */
export function leftOverSamples(endpoints: NamedEndpoint[]): string[] {
  const names = new Set(endpoints.map(({ definition }) => nameOf(definition)));
  return Object.keys(samples).filter((name) => !names.has(name));
}

export const sampleOf = (definition: EndpointDefinition): Sample => samples[nameOf(definition)] ?? {};

/** A sample in the format of `inject`. */
export function requestOf({ method, path }: EndpointDefinition, sample: SampleCall) {
  const url = path.replace(/:(\w+)/g, (_, name) => encodeURIComponent(String(sample.params?.[name])));
  const query = sample.query ? `?${new URLSearchParams(asText(sample.query))}` : '';
  const form = sample.form ? formOf(sample.form) : undefined;
  return {
    method,
    url: `${url}${query}`,
    headers: { ...form?.headers } as Record<string, string>,
    ...(form ? { payload: form.payload } : sample.body ? { payload: sample.body } : {}),
  };
}

const asText = (values: Record<string, string | number>) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]));
