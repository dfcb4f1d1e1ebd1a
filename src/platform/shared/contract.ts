import { z } from 'zod';
import type { ErrorCode } from './errors.ts';

/**
 * One object per call. The server validates with it, the web's client derives its types from it and
 * the OpenAPI document is generated from it, so every shape is written only once.
 */

/** What a member may do in a workspace, weakest first. Each role includes all earlier ones. */
export const roles = ['viewer', 'editor', 'sender', 'admin', 'owner'] as const;
export type Role = (typeof roles)[number];

/** True when the held role may do everything that the needed role may do. */
export const mayAs = (held: Role, needed: Role): boolean => roles.indexOf(held) >= roles.indexOf(needed);

/**
 * What an API key may do, such as `contacts:read`. A key has any number of scopes, and a call names
 * those it needs, as a rule one. Features declare their scopes with words. The product does not
 * start with an undeclared scope.
 */
export type Scope = string;

/**
 * Who may make a call. There is no default: a call without an access rule does not type-check.
 * - `public`: anybody.
 * - `user`: anybody signed in.
 * - `member`: signed in, with at least this role in the current workspace, or an API key of the
 *   workspace with all of these scopes. A call without a scope does not accept keys. If the
 *   workspace requires two-factor sign-in, members without it are refused with
 *   `two_factor_required`, unless the call is open `beforeTwoFactor`.
 * - `admin`: the administrator of the installation (`ADMIN_EMAIL`).
 */
export type Access =
  | { kind: 'public' }
  | { kind: 'user' }
  | { kind: 'member'; role: Role; scopes: readonly Scope[]; beforeTwoFactor?: true }
  | { kind: 'admin' };

export const access = {
  public: { kind: 'public' } as Access,
  user: { kind: 'user' } as Access,
  admin: { kind: 'admin' } as Access,
  member: (role: Role, ...scopes: Scope[]): Access => ({ kind: 'member', role, scopes }),
  memberBeforeTwoFactor: (role: Role): Access => ({
    kind: 'member',
    role,
    scopes: [],
    beforeTwoFactor: true,
  }),
};

/** What a key needs for a call, all of it. None: the call accepts no key. */
export const scopesOf = (needed: Access): readonly Scope[] => (needed.kind === 'member' ? needed.scopes : []);

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE' | 'PUT';

/**
 * A body that is not JSON: a streamed download, server-sent events, a redirect. The route writes it
 * itself.
 */
export interface RawResponse {
  /** The content types it may have. */
  raw: readonly string[];
}
export const raw = (...contentTypes: string[]): RawResponse => ({ raw: contentTypes });

/** For calls that read their answer from the database while it is taken. */
export const downloadLimits =
  'One person may have some of these at once, and a workspace a few more; the next wait for their turn, and are answered 429 or ' +
  '503 with `Retry-After` when none comes. A file whose reader takes nothing for half a minute is broken off.';

/** The content types of files. */
export const fileTypes = {
  csv: 'text/csv',
  json: 'application/json',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  zip: 'application/zip',
} as const;

/**
 * A request body that the route reads as a stream (`multipart/form-data`). It is documented but zod
 * does not validate it.
 */
export interface MultipartBody {
  multipart: Record<string, string>;
}
export const multipart = (fields: Record<string, string>): MultipartBody => ({ multipart: fields });

export interface EndpointDefinition {
  method: Method;
  /** The path with `:name` parameters, e.g. `/api/emails/:id`. */
  path: string;
  access: Access;
  /** One sentence for the API document. */
  summary: string;
  tag: string;
  params?: z.ZodType;
  query?: z.ZodType;
  body?: z.ZodType | MultipartBody;
  response: z.ZodType | RawResponse;
  /** The status of a success. Absent: 200. */
  status?: number;
  /**
   * The answer with 202 for callers who do not wait for the work (`Prefer: respond-async`, RFC 7240
   * section 4.1).
   */
  accepted?: z.ZodType;
  /**
   * How it may fail, besides what follows from its input and from who may make it. A test fails
   * when a call answers what is not listed.
   */
  fails?: readonly ErrorCode[];
  /** Answered without looking at who calls, also while the database does not answer. */
  isUnguarded?: true;
  /**
   * For strangers who follow a link of an email, for their mail programs, and for services that
   * call an address of their own. The link itself says who they are: nobody looks at cookies, other
   * sites may call, and any form may be sent along. An `urlencoded` one and JSON are the body, as
   * the text that came: signatures are over it. Failures may be pages. Uses the connections for
   * strangers.
   */
  forStrangers?: true;
  /**
   * Also answered while the disk is full, although it is no GET: it reads, or writes a line or two
   * that cannot wait, or makes room.
   */
  writesLittle?: true;
  /** How often, how large or how long, in a sentence for the API document. */
  limits?: string;
  /** The largest JSON body, in megabytes of 1,048,576 bytes. Absent: 1. */
  bodyMegabytes?: number;
  /**
   * The answer holds a secret that is shown once, so it is not stored for a repeated call either.
   */
  secretAnswer?: true;
}

export function endpoint<const D extends EndpointDefinition>(definition: D): D {
  return definition;
}

type Out<T> = T extends z.ZodType ? z.output<T> : undefined;
type In<T> = T extends z.ZodType ? z.input<T> : undefined;

export type ParamsOf<D extends EndpointDefinition> = Out<D['params']>;
export type QueryOf<D extends EndpointDefinition> = Out<D['query']>;
export type BodyOf<D extends EndpointDefinition> = Out<D['body']>;
/** What a caller may send. Fields with defaults are optional. */
export type ParamsInput<D extends EndpointDefinition> = In<D['params']>;
export type QueryInput<D extends EndpointDefinition> = In<D['query']>;
export type BodyInput<D extends EndpointDefinition> = In<D['body']>;
export type ResponseOf<D extends EndpointDefinition> = D['response'] extends z.ZodType
  ? z.output<D['response']> | Accepted<D, 'output'>
  : unknown;
/** What a handler answers. */
export type AnswerOf<D extends EndpointDefinition> = D['response'] extends z.ZodType
  ? z.input<D['response']> | Accepted<D, 'input'>
  : unknown;
type Accepted<D, Side extends 'input' | 'output'> = D extends { accepted: infer A extends z.ZodType }
  ? { input: z.input<A>; output: z.output<A> }[Side]
  : never;

/** The only shape of a failed call. */
export const errorBody = z.object({
  message: z.string().describe('What happened and what to do, in words for a person.'),
  code: z.string(),
  fields: z.record(z.string(), z.string()).optional().describe('Input name to what is wrong with it.'),
});
export type ErrorBody = z.output<typeof errorBody>;

/** A row's id in a path. Text that is not a positive whole number gets a 400. */
export const idParams = z.object({ id: z.coerce.number().int().positive().max(Number.MAX_SAFE_INTEGER) });

/** `{items, totalCount}`, the specification's "items". */
export const itemsOf = <T extends z.ZodType>(item: T) =>
  z.object({ items: z.array(item), totalCount: z.number().int() });

const cursorExample = 'wL4zH0cVbYqOWzQyMDAxN10';

/** A query's `cursor`, beside its `page`. */
export const cursorField = z
  .string()
  .min(1)
  .max(12_000)
  .optional()
  .meta({
    description:
      'In place of `page`: the `nextCursor` of the page before, with the same filters and order. What is in the list all the ' +
      'while comes exactly once, whatever is added or removed meanwhile, and the last page is read as fast as the first.',
    examples: [cursorExample],
  });

/** An answer's `nextCursor`. */
export const nextCursorField = z
  .string()
  .nullable()
  .meta({
    description: 'To be given as `cursor` for the next page; null at the end.',
    examples: [cursorExample],
  });

/** `{items, totalCount, nextCursor}`: the items of a list that a cursor can walk through. */
export const walkedItemsOf = <T extends z.ZodType>(item: T) =>
  itemsOf(item).extend({ nextCursor: nextCursorField });

/** Any value that JSON can hold. */
export const jsonValue: z.ZodType<z.core.util.JSONType, z.core.util.JSONType> = z
  .lazy(() =>
    z.union([
      z.string(),
      z.number(),
      z.boolean(),
      z.null(),
      z.array(jsonValue),
      z.record(z.string(), jsonValue),
    ]),
  )
  .meta({ id: 'JsonValue' });

/** A query flag: `true`/`1` or `false`/`0`. */
export const flag = z
  .enum(['true', 'false', '1', '0'])
  .transform((value) => value === 'true' || value === '1');
