import { z } from 'zod';
import {
  type Access,
  type EndpointDefinition,
  errorBody,
  type MultipartBody,
  type RawResponse,
  roles,
  type Scope,
  scopesOf,
} from '#platform/shared/contract.ts';
import { allErrorCodes, type ErrorCode, errorStatus, type ParticularCodes } from '#platform/shared/errors.ts';
import { acceptedStatus, canBeRepeated } from './idempotency.ts';
import { DocumentSchemas, type Json } from './openapi-schemas.ts';

/**
 * An endpoint object with the name its contract exports it under. The name is the operation's id in
 * the document.
 */
export interface NamedEndpoint {
  name: string;
  definition: EndpointDefinition;
}

/** The endpoint objects among a contract's exports. */
export function endpointsOf(contract: Record<string, unknown>): NamedEndpoint[] {
  return Object.entries(contract)
    .filter((entry): entry is [string, EndpointDefinition] => isEndpoint(entry[1]))
    .map(([name, definition]) => ({ name, definition }));
}

function isEndpoint(value: unknown): value is EndpointDefinition {
  if (typeof value !== 'object' || value === null) return false;
  return ['method', 'path', 'access', 'summary', 'response'].every((key) => key in value);
}

/**
 * The OpenAPI 3.1 document of the given calls (https://spec.openapis.org/oas/v3.1.1). The order of
 * the calls does not change the text. Throws when two calls have the same name or the same method
 * and path.
 */
export function buildOpenApi(endpoints: NamedEndpoint[], particular: ParticularCodes = {}): Json {
  const codes = allErrorCodes(particular);
  refuseTwins(endpoints);
  const sorted = endpoints
    .map((endpoint) => ({ ...endpoint, path: endpoint.definition.path.replace(/:(\w+)/g, '{$1}') }))
    .sort((a, b) => order(a.path, b.path) || order(a.name, b.name));
  const schemas = new DocumentSchemas();
  const paths: Json = {};
  for (const { name, path, definition } of sorted) {
    paths[path] ??= {};
    paths[path][definition.method.toLowerCase()] = operation(name, definition, schemas);
  }
  schemas.of(errorSchema(codes), 'output');
  const joined = schemas.join(paths);
  const tags = [...new Set(sorted.map(({ definition }) => definition.tag))].sort(order);
  return {
    openapi: '3.1.1',
    info: {
      title: 'Email Manager',
      version: '1',
      description:
        'Every call of Email Manager. Calls are made as somebody who is signed in, in the workspace they are at work in, or with an ' +
        'API key of a workspace; ' +
        'a call sees nothing of other workspaces. Times are ISO 8601 in UTC. A failed call answers a sentence for a person ' +
        'and a code for a program. A path answers 405 to a method that it does not list, with the right ones in `Allow`.',
    },
    servers: [{ url: '/' }],
    tags: tags.map((name) => ({ name })),
    paths: joined.described,
    components: {
      securitySchemes: {
        key: {
          type: 'http',
          scheme: 'bearer',
          description:
            'An API key of a workspace, made on the screen API keys; it begins with `em_live_`. It may make the calls whose ' +
            'scope it has. `RateLimit-Limit`, `RateLimit-Remaining` and `RateLimit-Reset` (seconds) come with each answer; ' +
            'over the limit it is 429 with `Retry-After`. A cookie sent along is not looked at.',
        },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: 'email-manager.session_token',
          description: 'Set by signing in. Over https its name begins with `__Secure-`.',
        },
      },
      schemas: joined.schemas,
      responses: errorResponses(codes),
    },
  };
}

function refuseTwins(endpoints: NamedEndpoint[]): void {
  const seen = new Set<string>();
  for (const { name, definition } of endpoints) {
    for (const key of [name, `${definition.method} ${definition.path}`]) {
      if (seen.has(key)) throw new Error(`two endpoints are ${key}`);
      seen.add(key);
    }
  }
}

const order = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

function operation(name: string, definition: EndpointDefinition, schemas: DocumentSchemas): Json {
  const { access, body } = definition;
  const parameters = [
    ...parametersOf(definition.params, 'path', schemas),
    ...parametersOf(definition.query, 'query', schemas),
    ...(canBeRepeated(definition) ? [idempotencyKey] : []),
    ...(definition.accepted ? [preference] : []),
  ];
  return {
    operationId: name,
    summary: definition.summary,
    description: [accessInWords(access), ...limitsOf(definition)].join(' '),
    tags: [definition.tag],
    security: securityOf(access),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body ? { requestBody: requestBody(body, schemas) } : {}),
    responses: {
      ...successesOf(definition, schemas),
      ...Object.fromEntries(
        errorStatusesOf(definition).map((code) => [code, { $ref: `#/components/responses/${code}` }]),
      ),
      ...(definition.forStrangers ? { 404: unknownLink } : {}),
    },
  };
}

const unknownLink: Json = {
  description: 'The link is not known any more. A page says so.',
  content: { 'text/html': { schema: { type: 'string' } } },
};

function successesOf(definition: EndpointDefinition, schemas: DocumentSchemas): Json {
  const { response, status = 200, accepted } = definition;
  const done = { [status]: successResponse(response, status, schemas) };
  if (!accepted) return done;
  const content = { 'application/json': { schema: schemas.of(accepted, 'output') } };
  const description = 'Begun; asked for with `Prefer: respond-async`.';
  return { ...done, [acceptedStatus]: { description, content } };
}

function limitsOf({ body, limits, bodyMegabytes = 1 }: EndpointDefinition): string[] {
  const size = body && !('multipart' in body) ? [`The body is at most ${bodyMegabytes} MB.`] : [];
  return limits ? [limits, ...size] : size;
}

/** What a call may answer: the content types by status. */
export function answersOf(definition: EndpointDefinition): Map<number, readonly string[]> {
  const { response, status = 200, accepted } = definition;
  const json = ['application/json'];
  const types = 'raw' in response ? response.raw : json;
  return new Map([
    ...errorStatusesOf(definition).map(
      (code) => [code, definition.forStrangers ? [...json, 'text/html'] : json] as const,
    ),
    ...(accepted ? [[acceptedStatus, json] as const] : []),
    [status, isRedirect(status) ? [] : types] as const,
  ]);
}

const isRedirect = (status: number): boolean => status >= 300 && status < 400;

/** OpenAPI 3.1 lets any scheme list the roles a call needs. Here those are the key's scopes. */
function securityOf(access: Access): Json[] {
  if (access.kind === 'public') return [];
  const scopes = scopesOf(access);
  return [{ session: [] }, ...(scopes.length > 0 ? [{ key: [...scopes] }] : [])];
}

const idempotencyKey: Json = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Any text of the caller’s, new for each call. Sent again within 24 hours with the same body, the first answer is given again ' +
    '(`Idempotent-Replayed: true`) and nothing is done; with another body it is 422, while the first is still at work 409. ' +
    'What a call has changed is never changed again by its key: where it was cut off before its answer, that is 409, too.',
  schema: { type: 'string', minLength: 1, maxLength: 200 },
};

const preference: Json = {
  name: 'Prefer',
  in: 'header',
  required: false,
  description: '`respond-async`: the answer is 202 at once, and the work goes on by itself.',
  schema: { type: 'string' },
};

/** Who may make a call, in a sentence. */
export function accessInWords(access: Access): string {
  return `${personInWords(access)}${keyInWords(scopesOf(access))}`;
}

function keyInWords(scopes: readonly Scope[]): string {
  if (scopes.length === 0) return '';
  const names = scopes.map((scope) => `\`${scope}\``).join(' and ');
  return ` API keys need the ${scopes.length === 1 ? 'scope' : 'scopes'} ${names}.`;
}

function personInWords(access: Access): string {
  switch (access.kind) {
    case 'public':
      return 'Anybody may call this.';
    case 'user':
      return 'Anybody signed in may call this.';
    case 'admin':
      return 'Only the administrator of the installation may call this.';
    case 'member': {
      const able = roles.slice(roles.indexOf(access.role));
      if (able.length === roles.length) return 'Any member of the workspace may call this.';
      if (able.length === 1) return `Only an ${able[0]} of the workspace may call this.`;
      return `Needs one of these roles in the workspace: ${able.join(', ')}.`;
    }
  }
}

function parametersOf(
  schema: z.ZodType | undefined,
  place: 'path' | 'query',
  schemas: DocumentSchemas,
): Json[] {
  if (!schema) return [];
  const { properties = {}, required = [] } = schemas.resolve(schemas.of(schema, 'input'));
  return Object.entries<Json>(properties).map(([name, { description, ...property }]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    ...(description ? { description } : {}),
    schema: property,
  }));
}

function requestBody(body: z.ZodType | MultipartBody, schemas: DocumentSchemas): Json {
  if (!('multipart' in body)) {
    const schema = schemas.of(body, 'input');
    return { required: needsBody(schemas.resolve(schema)), content: { 'application/json': { schema } } };
  }
  const properties = Object.fromEntries(
    Object.entries(body.multipart).map(([name, description]) => [
      name,
      name === 'file'
        ? { type: 'string', contentMediaType: 'application/octet-stream', description }
        : { type: 'string', description },
    ]),
  );
  return {
    required: true,
    content: { 'multipart/form-data': { schema: { type: 'object', properties, required: ['file'] } } },
  };
}

/** If every field is optional, so is the body. */
function needsBody(schema: Json): boolean {
  return schema.type !== 'object' || (schema.required ?? []).length > 0;
}

function successResponse(response: z.ZodType | RawResponse, status: number, schemas: DocumentSchemas): Json {
  if ('raw' in response) {
    if (isRedirect(status)) {
      return {
        description: 'On to another page.',
        headers: { Location: { description: 'The page.', schema: { type: 'string' } } },
      };
    }
    const content = Object.fromEntries(response.raw.map((type) => [type, { schema: rawSchema(type) }]));
    return { description: 'As it comes.', content };
  }
  return {
    description: 'Done.',
    content: { 'application/json': { schema: schemas.of(response, 'output') } },
  };
}

const rawSchema = (type: string): Json => (type.startsWith('text/') ? { type: 'string' } : {});

/**
 * How a call may fail, given its input and who may make it, and what its contract adds. Any call
 * may be sent with a head that is too large, too slow or not HTTP, and fail with the server's own
 * errors.
 */
function errorStatusesOf({
  access,
  params,
  method,
  fails = [],
  isUnguarded,
  forStrangers,
  ...definition
}: EndpointDefinition): number[] {
  const codes: ErrorCode[] = ['bad_request', 'too_slow', 'head_too_large', 'internal', ...fails];
  // An API key is looked at wherever it is sent, and may be wrong or over its limit.
  if (!isUnguarded) codes.push('unavailable', 'insufficient_storage');
  if (!isUnguarded) codes.push('rate_limited');
  if (!isUnguarded && !forStrangers) codes.push('unauthenticated');
  if (access.kind !== 'public') codes.push('forbidden');
  if (access.kind === 'member') codes.push('workspace_changed');
  if (params) codes.push('not_found');
  if (method !== 'GET') codes.push('conflict', 'too_large', 'unsupported_media_type');
  if (method !== 'GET' && !forStrangers) codes.push('csrf');
  // What the work that goes on by itself may fail of.
  if (definition.accepted) codes.push('not_found', 'gone', 'timeout');
  if (canBeRepeated({ access, method, ...definition })) codes.push('idempotency_mismatch');
  return [...new Set(codes.map((code) => errorStatus[code]))].sort((one, other) => one - other);
}

type ErrorStatus = (typeof errorStatus)[ErrorCode];

const statusWords: Record<ErrorStatus, string> = {
  400: 'The call was not understood, or a value is not possible; `fields` says which.',
  401: 'Nobody is signed in.',
  402: 'The plan does not include this.',
  403: 'The caller may not do this.',
  404: 'There is no such thing in this workspace.',
  405: 'The path is right, and takes other methods. Any path of this document answers so to a method that it does not list.',
  408: 'The call did not arrive in time.',
  409: 'It does not fit what is there already.',
  410: 'It has been removed.',
  413: 'Larger than this call takes.',
  415: 'Not in a format this call takes.',
  422: 'The Idempotency-Key was used for another call.',
  429: 'Too many calls; wait a moment.',
  431: 'The head of the call is larger than 16 kB.',
  500: 'Something went wrong on the server.',
  503: 'It cannot be done just now; try again.',
  504: 'It took longer than is allowed.',
  507: 'The disk is full.',
};

const retryAfter: Json = {
  'Retry-After': { description: 'Seconds until a retry may work.', schema: { type: 'integer' } },
};
const headersOf: Partial<Record<ErrorStatus, Json>> = {
  405: { Allow: { description: 'The methods that the path takes.', schema: { type: 'string' } } },
  429: retryAfter,
  503: retryAfter,
};

type Codes = ReturnType<typeof allErrorCodes>;

const errorSchema = (codes: Codes) =>
  z.object({ ...errorBody.shape, code: z.enum(codes.map(({ code }) => code)) }).meta({ id: 'Error' });

function errorResponses(all: Codes): Json {
  const codes = new Map<ErrorStatus, string[]>();
  for (const { code, status } of all as { code: string; status: ErrorStatus }[]) {
    codes.set(status, [...(codes.get(status) ?? []), code]);
  }
  return Object.fromEntries(
    [...codes].map(([status, names]) => [
      status,
      {
        description: `${statusWords[status]} Codes: ${names.map((name) => `\`${name}\``).join(', ')}.`,
        ...(headersOf[status] ? { headers: headersOf[status] } : {}),
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      },
    ]),
  );
}
