import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import { z } from 'zod';
import {
  type Access,
  type AnswerOf,
  type BodyOf,
  type EndpointDefinition,
  mayAs,
  type ParamsOf,
  type QueryOf,
  type Role,
  type Scope,
} from '#platform/shared/contract.ts';
import { AppError } from '#platform/shared/errors.ts';
import { getReadiness } from '#platform/shared/operations.ts';
import { answerSlowBody, answerUnreadable, ignoreExpectations } from './before-routes.ts';
import { type CallerContext, inCall, withContext } from './call-context.ts';
import type { DiskSpace } from './disk/disk-space.ts';
import { databaseWaits, diskFull } from './disk/out-of-room.ts';
import { watchCalls } from './draining.ts';
import { asAppError, errorBody } from './error-map.ts';
import { type Answer, answerSchema, type Idempotency, once, refusesNew, statusOf } from './idempotency.ts';
import type { Log } from './logging.ts';
import { usualStallMs, watchReaders } from './slow-readers.ts';
import { describeIssues } from './validation-messages.ts';

interface WorkplaceOfCaller {
  id: number;
  name: string;
  role: Role;
  /** Set when the workspace requires two-factor sign-in and this member has none. */
  lacksTwoFactor?: true;
}

/** Who makes a call, and the workspace they are in. */
export interface Caller {
  userId: string;
  email: string;
  name: string;
  /** True for the administrator of the installation. */
  isAdmin: boolean;
  /** The current workspace. Null while the user belongs to none. */
  workspace: WorkplaceOfCaller | null;
  /**
   * Set when a program calls with an API key. `email` and `name` then identify the key; `userId`
   * and the role are those of the person it acts for. Within a call, the role in `workspace` is the
   * one that the call needs, and `role` here stays theirs.
   */
  key?: { id: number; scopes: readonly Scope[]; role: Role };
}

/**
 * What a handler gets: the validated parts of the call, and the caller. `caller` depends on the
 * endpoint's access.
 */
export interface Call<D extends EndpointDefinition> {
  params: ParamsOf<D>;
  query: QueryOf<D>;
  body: BodyOf<D>;
  caller: D['access'] extends { kind: 'public' } ? Caller | null : Caller;
  /** The current workspace's id. Throws on calls whose access is not `member`. */
  workspaceId: number;
  request: FastifyRequest;
  reply: FastifyReply;
}

export type Handler<D extends EndpointDefinition> = (call: Call<D>) => Promise<AnswerOf<D>>;

export type Authenticate = (request: FastifyRequest, reply: FastifyReply) => Promise<Caller | null>;

export interface Router {
  readonly app: FastifyInstance;
  /** The calls handled so far. */
  readonly calls: readonly EndpointDefinition[];
  handle<D extends EndpointDefinition>(definition: D, handler: Handler<D>): void;
}

export interface HttpOptions {
  authenticate: Authenticate;
  /** Absent: calls cannot carry an `Idempotency-Key`. */
  idempotency?: Idempotency;
  log: Log;
  /**
   * Origins that may send state-changing calls with cookies, besides the host of the call itself.
   */
  trustedOrigins: string[];
  /**
   * The proxies whose X-Forwarded-For counts: their networks, or how many there are. Absent: only
   * this machine.
   */
  trustProxy?: string[] | number;
  /** The largest JSON body, in bytes. */
  bodyLimit?: number;
  /** How long a JSON body may take to arrive. */
  bodyTimeoutMs?: number;
  /** How long the head of a call may take to arrive. */
  headTimeoutMs?: number;
  /** How long a reader may take nothing of an answer. */
  stallMs?: number;
  /** Called for each reader that was cut off. */
  onCut?: () => void;
  /** How full the disk is. Absent: nobody looks. */
  disk?: DiskSpace;
}

/**
 * The HTTP server with the error map and the contract's routing. Features add their endpoints to
 * `router`.
 */
export function createHttp(options: HttpOptions): { app: FastifyInstance; router: Router } {
  const app = Fastify({
    loggerInstance: options.log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    // A logger for each call would cost more than most calls.
    childLoggerFactory: (logger) => logger,
    bodyLimit: options.bodyLimit ?? 1_048_576,
    trustProxy: trusting(options.trustProxy ?? ['loopback']),
    routerOptions: { maxParamLength: 256 },
    // An import may use all its allowed time. Its own deadline ends it, not the socket's.
    requestTimeout: 0,
    http: headLimits(options.headTimeoutMs ?? 15_000),
    clientErrorHandler: answerUnreadable,
    forceCloseConnections: true,
    // A malformed address never reaches a route or the routes' error handler.
    frameworkErrors: (error, request, reply) =>
      void sendError(error, request as FastifyRequest, reply as FastifyReply, options),
  });
  ignoreExpectations(app);
  acceptEmptyJson(app);
  refuseOtherBodies(app);
  watchCalls(app);
  watchReaders(app, {
    patienceMs: options.stallMs ?? usualStallMs,
    log: options.log,
    onCut: options.onCut,
  });
  app.setErrorHandler((error, request, reply) => sendError(error, request, reply, options));
  app.addHook('onRequest', async (request) => refuseForeignOrigin(request, options.trustedOrigins));
  limitSlowBodies(app, options.bodyTimeoutMs ?? 30_000);
  return { app, router: createRouter(app, options) };
}

/** Node looks for late heads only now and then. */
const headLimits = (milliseconds: number) => ({
  headersTimeout: milliseconds,
  connectionsCheckingInterval: Math.ceil(milliseconds / 3),
});

/**
 * Fastify accepts no number, because a number does not say who the nearest proxy is. The operator
 * takes care of that.
 */
const trusting = (proxies: string[] | number) =>
  typeof proxies === 'number' ? (_address: string, hop: number) => hop < proxies : proxies;

declare module 'fastify' {
  interface FastifyRequest {
    /** Ends the call when its body does not arrive. */
    slowBody?: NodeJS.Timeout | undefined;
  }
  interface FastifyContextConfig {
    /** The call that a route answers. */
    endpoint?: EndpointDefinition;
  }
}

function createRouter(app: FastifyInstance, options: HttpOptions): Router {
  const calls: EndpointDefinition[] = [];
  return {
    app,
    calls,
    handle(definition, handler) {
      calls.push(definition);
      app.route({
        config: { endpoint: definition },
        method: definition.method,
        url: definition.path,
        ...(definition.bodyMegabytes ? { bodyLimit: definition.bodyMegabytes * 1_048_576 } : {}),
        handler: asCall(async (request, reply) => {
          const caller =
            definition.isUnguarded || definition.forStrangers
              ? null
              : await authorise(definition.access, request, reply, options.authenticate);
          const context = contextOf(caller, reply);
          const purpose = definition.forStrangers ? ({ purpose: 'public' } as const) : {};
          return withContext({ ...context, ...purpose }, async () => {
            refuseForm(definition, request);
            const key = keyOf(definition, request);
            if (key === undefined && refusesNew(definition, options.disk)) throw diskFull();
            const call = callOf(definition, { request, reply, caller });
            if (request.method === 'HEAD' && isForSomebody(definition))
              return tellTypeOnly(definition, reply);
            return 'raw' in definition.response
              ? answerRaw(call, handler)
              : answerJson({ definition, call, key, options }, () => handler(call));
          });
        }),
      });
    },
  };
}

/**
 * A file or a stream for somebody who is known. The framework would let the route write all of it
 * and drop it: an export of millions that nobody gets, and that the audit log tells of.
 */
const isForSomebody = ({ access, response }: EndpointDefinition): boolean =>
  'raw' in response && access.kind !== 'public';

/** Answers HEAD: the caller may have it. Of several types, it tells the one that is named first. */
function tellTypeOnly({ response }: EndpointDefinition, reply: FastifyReply): FastifyReply {
  const [type] = 'raw' in response ? response.raw : [];
  if (type !== undefined) void reply.type(type);
  return reply.send();
}

/** The parts of a call, checked. */
function callOf<D extends EndpointDefinition>(
  definition: D,
  { request, reply, caller }: { request: FastifyRequest; reply: FastifyReply; caller: Caller | null },
): Call<D> {
  const { params, query } = definition;
  return {
    params: parsePart(params, request.params, 'path'),
    query: parsePart(query, request.query, 'query'),
    body: bodyOf(definition, request),
    caller,
    get workspaceId(): number {
      if (!caller?.workspace) throw new AppError('forbidden', 'You do not belong to a workspace yet.');
      return caller.workspace.id;
    },
    request,
    reply,
  } as unknown as Call<D>;
}

const nothing = z.strictObject({});

/**
 * The body, checked. A call that takes none refuses what stands in one: somebody meant it to
 * matter, such as a filter for a call that deletes.
 */
function bodyOf({ body, forStrangers }: EndpointDefinition, request: FastifyRequest): unknown {
  if (body) return 'multipart' in body ? undefined : parsePart(body, request.body ?? {}, 'body');
  if (!forStrangers) parsePart(nothing, request.body || {}, 'body');
  return undefined;
}

const isAnswered = ({ sent, raw }: FastifyReply): boolean => sent || raw.headersSent;

/** The key of a call that may be sent twice. A file that is answered has none. */
function keyOf({ method, response }: EndpointDefinition, { headers }: FastifyRequest): string | undefined {
  const key = method === 'POST' && !('raw' in response) ? headers['idempotency-key'] : undefined;
  return key === undefined ? undefined : String(key);
}

/** For an answer that the handler writes itself. */
async function answerRaw<D extends EndpointDefinition>(call: Call<D>, handler: Handler<D>): Promise<unknown> {
  const result = await handler(call);
  return isAnswered(call.reply) ? call.reply : result;
}

async function answerJson(
  {
    definition,
    call,
    key,
    options: { idempotency, disk, log },
  }: {
    definition: EndpointDefinition;
    call: Call<EndpointDefinition>;
    key: string | undefined;
    options: HttpOptions;
  },
  handle: () => Promise<unknown>,
): Promise<FastifyReply> {
  const { reply } = call;
  const work = async (): Promise<Answer | null> => {
    const result = await handle();
    if (isAnswered(reply)) return null;
    const status = statusOf(definition, reply);
    return { status, body: answerSchema(definition, status).parse(result) };
  };
  const answer =
    key === undefined ? await work() : await once({ key, definition, call, idempotency, disk, log }, work);
  return answer === null ? reply : reply.code(answer.status).send(answer.body);
}

/** For the queues: what one person asks for does not delay what others ask for. */
function contextOf(caller: Caller | null, reply: FastifyReply): CallerContext {
  let signal: AbortSignal | undefined;
  const gone = () => {
    signal ??= goneSignal(reply);
    return signal;
  };
  if (!caller) return { gone };
  return { gone, person: caller.key ? `key ${caller.key.id}` : caller.userId };
}

const asCall =
  (handler: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>) =>
  (request: FastifyRequest, reply: FastifyReply): Promise<unknown> =>
    inCall(() => handler(request, reply));

/** The caller has hung up. Nobody sees the answer, so the log should not report a failure. */
class CalledOff extends AppError {
  constructor() {
    super('unavailable', 'This was called off.');
  }
}

/** Aborted when the caller hangs up before the answer is ready. */
export function goneSignal(reply: FastifyReply): AbortSignal {
  const gone = new AbortController();
  const closed = () => {
    if (!reply.raw.writableFinished) gone.abort(new CalledOff());
  };
  if (reply.raw.closed) closed();
  else reply.raw.once('close', closed);
  return gone.signal;
}

async function authorise(
  access: Access,
  request: FastifyRequest,
  reply: FastifyReply,
  authenticate: Authenticate,
): Promise<Caller | null> {
  const caller = await authenticate(request, reply);
  if (access.kind === 'public') return caller;
  if (caller?.key) return authoriseKey(access, caller, caller.key.scopes);
  if (!caller) throw new AppError('unauthenticated', 'Please sign in.');
  refuseOtherPerson(request, caller);
  if (access.kind === 'admin' && !caller.isAdmin) {
    throw new AppError('forbidden', "You don't have permission to access the admin panel.");
  }
  if (access.kind === 'member') {
    if (!caller.workspace) throw new AppError('forbidden', 'You do not belong to a workspace yet.');
    refuseOtherWorkspace(request, caller.workspace);
    if (caller.workspace.lacksTwoFactor && !access.beforeTwoFactor) {
      throw new AppError(
        'two_factor_required',
        `${caller.workspace.name} asks for two-factor sign-in, and you have none. Set it up in your account first.`,
      );
    }
    if (!mayAs(caller.workspace.role, access.role)) {
      throw new AppError(
        'forbidden',
        `This needs the ${access.role} role; yours is ${caller.workspace.role}. Ask an owner or admin.`,
      );
    }
  }
  return caller;
}

/**
 * A key may do only what its scopes name, and never more than the person it acts for may at this
 * moment. Within a call it has exactly the role that the call needs.
 */
function authoriseKey(access: Access, caller: Caller, held: readonly Scope[]): Caller {
  if (access.kind !== 'member' || access.scopes.length === 0 || !caller.workspace)
    throw new AppError('forbidden', 'This call cannot be made with an API key. Sign in to make it.');
  const lacking = access.scopes.filter((scope) => !held.includes(scope));
  if (lacking.length > 0) {
    const what = lacking.length === 1 ? 'scope' : 'scopes';
    throw new AppError('forbidden', `This API key lacks the ${what} ${lacking.join(' and ')}.`);
  }
  const { role } = caller.workspace;
  if (!mayAs(role, access.role)) {
    throw new AppError(
      'forbidden',
      `This needs the ${access.role} role, and the person this API key acts for is ${role}. An admin can take the key over.`,
    );
  }
  return { ...caller, workspace: { ...caller.workspace, role: access.role } };
}

/**
 * A page says which workspace it shows. The session may have moved to another one since, and an
 * action meant for one workspace must not happen in the other.
 */
function refuseOtherWorkspace(request: FastifyRequest, { id, name }: { id: number; name: string }): void {
  const shown = request.headers['x-workspace'];
  if (shown === undefined || shown === String(id)) return;
  throw new AppError(
    'workspace_changed',
    `You are at work in ${name} now, and this page shows another workspace. Nothing was done. Reload the page.`,
  );
}

/**
 * A page says whose it is. Somebody else may have signed in in this browser since, and what the one
 * has written must not be done in the name of the other.
 */
function refuseOtherPerson(request: FastifyRequest, { userId }: Caller): void {
  const shown = request.headers['x-person'];
  if (shown === undefined || shown === userId) return;
  throw new AppError(
    'unauthenticated',
    'Somebody else has signed in in this browser since. Nothing was done. Please sign in.',
  );
}

/**
 * Nobody would read a form sent to a call that takes none, and the call would run as if it had no
 * body.
 */
function refuseForm({ body, forStrangers }: EndpointDefinition, request: FastifyRequest): void {
  if (forStrangers) return;
  const isForm = /^multipart\//i.test(request.headers['content-type'] ?? '');
  if (isForm && !(body && 'multipart' in body))
    throw new AppError('unsupported_media_type', 'This call takes JSON.');
}

function parsePart(schema: unknown, value: unknown, part: string): unknown {
  if (!(schema instanceof z.ZodType)) return undefined;
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const fields = describeIssues(schema, value, part);
  const [message] = Object.values(fields);
  throw new AppError('invalid_input', message ?? 'The call was not understood.', { fields });
}

/** A call without a payload may still carry a JSON content type. */
function acceptEmptyJson(app: FastifyInstance): void {
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, text, done) => {
    if (text.length === 0) return done(null, undefined);
    try {
      const value = JSON.parse(text as string, refusePrototypeKeys);
      done(null, isForStrangers(request) ? text : value);
    } catch (cause) {
      if (cause instanceof AppError) return done(cause);
      done(new AppError('bad_request', 'The body is not valid JSON.', { cause }));
    }
  });
}

/**
 * A body that trickles in holds a connection for as long as its sender likes. It may take this long
 * for each megabyte that its route takes. Forms with files take time and have their own limit.
 */
function limitSlowBodies(app: FastifyInstance, milliseconds: number): void {
  // Kept at the call itself: a young value of an old WeakMap survives until the next full
  // collection, and the whole call with it.
  app.decorateRequest('slowBody', undefined);
  const arrived = async ({ slowBody }: FastifyRequest) => clearTimeout(slowBody);
  app.addHook('preParsing', async (request) => {
    const { headers, raw, routeOptions } = request;
    const hasBody = headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
    if (!hasBody || /^multipart\//i.test(headers['content-type'] ?? '')) return;
    const megabytes = Math.max(1, (routeOptions.bodyLimit ?? 0) / 1_048_576);
    request.slowBody = setTimeout(() => answerSlowBody(raw.socket), milliseconds * megabytes).unref();
  });
  app.addHook('preValidation', arrived);
  app.addHook('onRequestAbort', arrived);
  app.addHook('onError', arrived);
}

/**
 * A client that sends a body type with an empty body (`curl -d ''`) sends nothing. Only refuse a
 * body with content.
 */
function refuseOtherBodies(app: FastifyInstance): void {
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (request, text, done) => {
      if (text.length === 0) return done(null, undefined);
      if (isForStrangers(request)) return done(null, text);
      done(new AppError('unsupported_media_type', 'This call takes JSON.'));
    },
  );
}

/**
 * A key that reaches Object.prototype is never data. Without it, a filter would mean more contacts.
 */
function refusePrototypeKeys(key: string, value: unknown): unknown {
  if (key === '__proto__') throw new AppError('bad_request', 'The body has a key “__proto__”.');
  return value;
}

/**
 * Guards against cross-site request forgery. A browser names the page's origin on every call that
 * changes something.
 */
function refuseForeignOrigin(request: FastifyRequest, trusted: string[]): void {
  if (isForStrangers(request)) return;
  // A call without a cookie cannot be forged in anybody's name.
  if (request.headers.cookie === undefined && request.headers.authorization !== undefined) return;
  if (request.method === 'GET' || request.method === 'HEAD' || request.method === 'OPTIONS') return;
  const origin = request.headers.origin;
  const isCrossSite = !origin && request.headers['sec-fetch-site'] === 'cross-site';
  if (isCrossSite) throw foreignSite();
  if (!origin || trusted.includes(origin)) return;
  const host = request.headers.host;
  try {
    if (new URL(origin).host === host) return;
  } catch {
    // "null" and other text that is not a URL is a foreign origin too.
  }
  throw foreignSite();
}

const isForStrangers = ({ routeOptions }: FastifyRequest): boolean =>
  routeOptions.config.endpoint?.forStrangers === true;

const foreignSite = () => new AppError('csrf', 'This call came from another site and was refused.');

/**
 * Logs what an operator must see. A refusal of ours, for lack of room or of a free connection,
 * needs one line and no stack; that a stopping process is not ready needs none, because probes ask
 * again and again.
 */
function logFailure(error: unknown, appError: AppError, request: FastifyRequest, log: Log): void {
  if (appError.status < 500 || appError instanceof CalledOff) return;
  const { method } = request;
  const url = loggedUrl(request);
  const isRefusal = error instanceof AppError && error.cause === undefined && error.kind !== 'internal';
  if (!isRefusal) log.error({ err: error, url, method }, 'call failed');
  else if (url !== getReadiness.path)
    log.warn({ url, method, code: appError.code }, `call refused: ${appError.message}`);
}

/**
 * The path with the numbers in it. What else stands in addresses is a secret of a mailed link or
 * what somebody searched for, and neither belongs in a log.
 */
function loggedUrl({ routeOptions, params }: FastifyRequest): string {
  const given = (params ?? {}) as Record<string, string>;
  return (routeOptions.url ?? 'no route').replace(/:(\w+)/g, (written, name: string) =>
    /^\d+$/.test(given[name] ?? '') ? (given[name] ?? '') : written,
  );
}

/** The one place where an error becomes an HTTP answer. */
function sendError(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  { log, disk }: Pick<HttpOptions, 'log' | 'disk'>,
): FastifyReply {
  disk?.notice(error);
  const found = asAppError(error);
  const appError = disk?.databaseWaits && found.code === 'unavailable' ? databaseWaits() : found;
  logFailure(error, appError, request, log);
  if (appError.retryAfter !== undefined) reply.header('retry-after', appError.retryAfter);
  // A slow sender may still be sending and would hold the connection for as long as it likes.
  if (appError.code === 'timeout') reply.header('connection', 'close');
  return reply
    .code(appError.status)
    .header('content-type', 'application/json; charset=utf-8')
    .send(errorBody(appError));
}
