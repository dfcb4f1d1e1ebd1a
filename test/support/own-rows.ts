import type { TestApp } from './app.ts';
import { formOf, importCsv } from './app.ts';
import { cookieOf, type SignedIn, signUpMember, testPassword } from './sign-in.ts';

/**
 * Rows of one workspace. Its owner creates each over HTTP when asked, so that a test can point any
 * call at "a row of mine" or "a row of theirs". All text in them contains `mark`.
 */
export interface OwnRows {
  readonly owner: SignedIn;
  readonly mark: string;
  /**
   * How many rows tests have requested so far. A call that requested none points at nobody's rows.
   */
  readonly asked: number;
  contact(): Promise<number>;
  /** A contact whose verdict includes a suggestion. */
  slip(): Promise<number>;
  removal(): Promise<number>;
  importRecord(): Promise<number>;
  /** A file kept by a dry run. */
  keptFile(): Promise<number>;
  verification(): Promise<{ runId: number; taskId: number }>;
  correction(): Promise<number>;
  /** Two contacts that share a mailbox. */
  twins(): Promise<{ keepId: number; otherIds: number[]; mailbox: string }>;
  merge(): Promise<number>;
  emailSuppression(): Promise<number>;
  domainSuppression(): Promise<number>;
  lifting(): Promise<number>;
  suppressionImport(): Promise<number>;
  member(): Promise<number>;
  invitation(): Promise<{ id: number; token: string }>;
  /** A mail in the outbox. */
  mail(): Promise<number>;
  /** A row of another kind, as its feature's `sample-calls.ts` makes it. */
  of<T>(make: RowMaker<T>): Promise<T>;
}

/** Makes a row as the owner and answers its id, or what else a sample needs of it. */
export type RowMaker<T> = (tools: RowTools) => Promise<T>;

interface RowTools extends Pick<OwnRows, 'owner' | 'mark'> {
  /** A call by the owner. Answers the body, and throws if it is an error. */
  call: Calls;
  /** The same with a form. */
  send(url: string, form: Parameters<typeof formOf>[0]): ReturnType<Calls>;
  /** Text that no other row has. */
  unique(): string;
  /** Rows that it belongs to. */
  rows: Omit<OwnRows, 'owner' | 'mark' | 'asked'>;
}

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';
// biome-ignore lint/suspicious/noExplicitAny: each call answers its own shape, which its own tests look at
type Calls = (method: Method, url: string, payload?: object) => Promise<any>;

let rowNumber = 0;
const unique = () => {
  rowNumber += 1;
  return `row${rowNumber}`;
};

/** Calls by a person. Each answers the body, and throws if it is an error. */
export const callsOf =
  (test: TestApp, { cookie }: SignedIn): Calls =>
  async (method, url, payload) =>
    read(await test.app.inject({ method, url, headers: { cookie }, ...(payload ? { payload } : {}) }), url);

export function ownRows(test: TestApp, owner: SignedIn, mark: string): OwnRows {
  let asked = 0;
  const call = callsOf(test, owner);
  const send = async (url: string, form: Parameters<typeof formOf>[0]) => {
    const { payload, headers } = formOf(form);
    const sent = { method: 'POST', url, headers: { ...headers, cookie: owner.cookie }, payload } as const;
    return read(await test.app.inject(sent), url);
  };
  const add = async (email: string) => (await call('POST', '/api/emails', { email })).id as number;
  const verify = async (...ids: number[]) =>
    (await call('POST', '/api/verifications', { selection: { ids }, dns: false })).runId as number;
  const csv = () => `email,name\n${unique()}@${mark}.co.uk,${mark}\nnonsense ${mark},\n`;

  const rows: Omit<OwnRows, 'owner' | 'mark' | 'asked'> = {
    contact: () => add(`${unique()}@${mark}.co.uk`),
    async slip() {
      const id = await add(`${mark}.${unique()}@gmial.com`);
      await verify(id);
      return id;
    },
    removal: async () => (await call('DELETE', `/api/emails/${await rows.contact()}`)).removalId,
    async importRecord() {
      const answer = await importCsv(test.app, owner.cookie, csv(), { fileName: `${mark}.csv` });
      return read(answer, 'import').id;
    },
    async keptFile() {
      const form = { fileName: `${mark}.csv`, dryRun: true };
      return read(await importCsv(test.app, owner.cookie, csv(), form), 'dry run').id;
    },
    async verification() {
      const runId = await verify(await rows.contact());
      return { runId, taskId: (await call('GET', `/api/verifications/${runId}`)).taskId };
    },
    async correction() {
      const ids = [await rows.slip()];
      return (await call('POST', '/api/review/corrections/accept', { ids })).correctionId;
    },
    async twins() {
      const name = `${mark}${unique()}`;
      const ids = [await add(`${name}@gmail.com`), await add(`${name}+post@gmail.com`)];
      await verify(...ids);
      return { keepId: ids[0] ?? 0, otherIds: ids.slice(1), mailbox: `${name}@gmail.com` };
    },
    async merge() {
      const { keepId, otherIds } = await rows.twins();
      return (await call('POST', '/api/review/duplicates/merge', { keepId, otherIds })).mergeId;
    },
    emailSuppression: async () =>
      (await call('POST', '/api/suppressions/email/manual', { email: `${unique()}@${mark}.uk` })).id,
    domainSuppression: async () =>
      (await call('POST', '/api/suppressions/domain', { domain: `${unique()}.${mark}.uk` })).id,
    lifting: async () =>
      (await call('DELETE', `/api/suppressions/email/${await rows.emailSuppression()}`, {})).liftingId,
    async suppressionImport() {
      const file = `${unique()}@${mark}.uk\nnonsense\n`;
      return (await send('/api/suppressions/import', [['file', file, `${mark}.csv`]])).id;
    },
    async member() {
      const person = { name: `${mark} ${unique()}`, email: `${mark}-${unique()}@gmail.com` };
      const { workspaceId } = owner;
      await signUpMember(test.app, test.database, { workspaceId, role: 'viewer', ...person });
      const members: { id: number; email: string }[] = await call('GET', '/api/team/members');
      return members.find(({ email }) => email === person.email)?.id ?? 0;
    },
    async invitation() {
      const email = `guest-${unique()}@gmail.com`;
      const { id, link } = await call('POST', '/api/team/invitations', { email, role: 'viewer' });
      return { id, token: link.split('/').at(-1) };
    },
    async mail() {
      await rows.invitation();
      return (await call('GET', '/api/outbox?limit=1')).items[0].id;
    },
    of: (make) => make({ call, send, unique, rows, owner, mark }),
  };
  return new Proxy({ ...rows, owner, mark, asked: 0 } as OwnRows, {
    get(target, property, receiver) {
      if (property === 'asked') return asked;
      const value = Reflect.get(target, property, receiver);
      if (typeof value === 'function') asked += 1;
      return value;
    },
  });
}

/** The same rows each time, for calls that do not change them. */
export function sameRows(rows: OwnRows): OwnRows {
  const made = new Map<PropertyKey | RowMaker<unknown>, unknown>();
  return new Proxy(rows, {
    get(target, property) {
      const value = Reflect.get(target, property);
      if (typeof value !== 'function') return value;
      // A feature's own row is known by its maker.
      return (maker?: RowMaker<unknown>) => {
        const kind = maker ?? property;
        if (!made.has(kind)) made.set(kind, value(maker));
        return made.get(kind);
      };
    },
  });
}

/** Another session of a person, and its number in the list of their sessions. */
export async function newSession(test: TestApp, who: SignedIn): Promise<number> {
  const answer = await test.app.inject({
    method: 'POST',
    url: '/api/auth/sign-in/email',
    payload: { email: who.email, password: testPassword },
  });
  const cookie = cookieOf(read(answer, 'sign-in') && answer.headers['set-cookie']);
  const sessions = await test.app.inject({ url: '/api/account/sessions', headers: { cookie } });
  return sessions.json().find((session: { current: boolean }) => session.current).id;
}

// biome-ignore lint/suspicious/noExplicitAny: each call answers its own shape, which its own tests look at
function read(answer: { statusCode: number; body: string; json(): unknown }, what: string): any {
  if (answer.statusCode >= 300) throw new Error(`${what}: ${answer.statusCode} ${answer.body}`);
  return answer.json();
}
