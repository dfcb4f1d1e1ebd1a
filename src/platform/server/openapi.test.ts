import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { access, endpoint, flag, idParams, jsonValue, multipart, raw } from '#platform/shared/contract.ts';
import { allErrorCodes } from '#platform/shared/errors.ts';
import { renderApiPage } from './api-page.ts';
import { buildOpenApi, endpointsOf } from './openapi.ts';
import type { Json } from './openapi-schemas.ts';

const contract = {
  limit: 12,
  listThings: endpoint({
    method: 'GET',
    path: '/api/things',
    access: access.public,
    summary: 'Things <script>alert(1)</script>',
    tag: 'Things',
    query: z.object({
      search: z.string().max(5),
      page: z.coerce.number().int().min(1).default(1).describe('From 1.'),
      deep: flag.optional(),
    }),
    response: z.object({ at: z.iso.datetime(), note: z.string().nullable() }),
  }),
  changeThing: endpoint({
    method: 'PATCH',
    path: '/api/things/:id',
    access: access.member('admin'),
    summary: 'Change a thing.',
    tag: 'Things',
    params: idParams,
    body: z.object({ name: z.string().default('x'), size: z.number().optional() }),
    response: z.object({ id: z.number().int() }),
    status: 201,
    accepted: z.object({ taskId: z.number() }),
    fails: ['plan_limit'],
    limits: 'At most ten a day.',
  }),
  sendThing: endpoint({
    method: 'POST',
    path: '/api/things/file',
    access: access.member('editor', 'things:write', 'files:read'),
    summary: 'Send a thing.',
    tag: 'Files',
    body: multipart({ options: 'JSON.', file: 'The file.' }),
    response: raw('text/csv', 'application/zip'),
  }),
};
const endpoints = endpointsOf(contract);
const document = buildOpenApi(endpoints, { no_dog: 'not_found' });

describe('the OpenAPI document', () => {
  it('has each endpoint of a contract, and nothing else of it, in an order that does not depend on theirs', () => {
    expect(endpoints.map(({ name }) => name)).toEqual(['listThings', 'changeThing', 'sendThing']);
    expect(JSON.stringify(buildOpenApi([...endpoints].reverse(), { no_dog: 'not_found' }))).toBe(
      JSON.stringify(document),
    );
    expect(Object.keys(document.paths)).toEqual(['/api/things', '/api/things/file', '/api/things/{id}']);
  });

  it('describes parameters as a caller may send them', () => {
    expect(document.paths['/api/things'].get.parameters).toEqual([
      { name: 'search', in: 'query', required: true, schema: { type: 'string', maxLength: 5 } },
      {
        name: 'page',
        in: 'query',
        required: false,
        description: 'From 1.',
        schema: { type: 'integer', minimum: 1, default: 1 },
      },
      {
        name: 'deep',
        in: 'query',
        required: false,
        schema: { type: 'string', enum: expect.arrayContaining(['true', 'false', '1', '0']) },
      },
    ]);
    expect(document.paths['/api/things/{id}'].patch.parameters[0]).toMatchObject({
      in: 'path',
      required: true,
    });
  });

  it('describes answers as they are given', () => {
    const { responses } = document.paths['/api/things'].get;
    expect(responses[200].content['application/json'].schema).toEqual({
      type: 'object',
      properties: { at: { type: 'string', format: 'date-time' }, note: { type: ['string', 'null'] } },
      required: ['at', 'note'],
    });
    expect(document.paths['/api/things/{id}'].patch.responses).toHaveProperty('201');
    const file = document.paths['/api/things/file'].post.responses[200];
    expect(Object.keys(file.content)).toEqual(['text/csv', 'application/zip']);
    const { responses: later } = document.paths['/api/things/{id}'].patch;
    expect(later[202].content['application/json'].schema.required).toEqual(['taskId']);
    const headers = document.paths['/api/things/{id}'].patch.parameters.filter(
      (one: Json) => one.in === 'header',
    );
    expect(headers.map(({ name }: Json) => name)).toEqual(['Prefer']);
  });

  it('says who may call, and how a call fails', () => {
    const open = document.paths['/api/things'].get;
    const closed = document.paths['/api/things/{id}'].patch;
    expect(open.security).toEqual([]);
    expect(closed.security).toEqual([{ session: [] }]);
    expect(closed.description).toBe(
      'Needs one of these roles in the workspace: admin, owner. At most ten a day. The body is at most 1 MB.',
    );
    const byKey = document.paths['/api/things/file'].post;
    expect(byKey.security).toEqual([{ session: [] }, { key: ['things:write', 'files:read'] }]);
    expect(byKey.description).toContain('API keys need the scopes `things:write` and `files:read`.');
    const failures = ({ responses }: Json) => Object.keys(responses).filter((status) => status >= '400');
    // A key that is sent along may be wrong or over its limit, whoever may call.
    expect(failures(open)).toEqual(['400', '401', '408', '429', '431', '500', '503', '507']);
    expect(failures(closed)).toEqual(
      '400 401 402 403 404 408 409 410 413 415 429 431 500 503 504 507'.split(' '),
    );
    const { schemas, responses } = document.components;
    const codes = allErrorCodes({ no_dog: 'not_found' }).map(({ code }) => code);
    expect(schemas.Error.properties.code.enum).toEqual(codes);
    const described = Object.values<{ description: string }>(responses)
      .map((one) => one.description)
      .join(' ');
    for (const code of codes) expect(described).toContain(`\`${code}\``);
  });

  it('describes bodies: JSON that may be left out, and forms with a file', () => {
    expect(document.paths['/api/things/{id}'].patch.requestBody.required).toBe(false);
    const form = document.paths['/api/things/file'].post.requestBody;
    expect(form.content['multipart/form-data'].schema.properties.file.contentMediaType).toBe(
      'application/octet-stream',
    );
  });

  describe('writes a schema with an id once', () => {
    const part = z.strictObject({ size: z.number().default(1) }).meta({ id: 'Part' });
    const whole = z.strictObject({ parts: z.array(part) }).meta({ id: 'Whole' });
    const plain = z.object({ at: z.iso.date() }).meta({ id: 'Plain' });
    const documentOf = (...of: [string, object, object][]) =>
      buildOpenApi(
        of.map(([name, body, response]) => ({
          name,
          definition: endpoint({
            ...{ method: 'POST', path: `/api/${name}`, access: access.public, summary: '', tag: 'T' },
            body: body as z.ZodType,
            response: response as z.ZodType,
          }),
        })),
      );
    const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
    const schemaIn = (content: Json) => content.content['application/json'].schema;

    it('and refers to it; what may be sent in another form has two', () => {
      const { paths, components } = documentOf(
        ['one', whole, whole],
        ['two', z.object({ plain, parts: z.array(part) }), plain.nullable()],
      );
      expect(schemaIn(paths['/api/one'].post.requestBody)).toEqual(ref('WholeInput'));
      expect(paths['/api/one'].post.requestBody.required).toBe(true);
      expect(schemaIn(paths['/api/one'].post.responses[200])).toEqual(ref('Whole'));
      expect(schemaIn(paths['/api/two'].post.requestBody).properties).toEqual({
        plain: ref('Plain'),
        parts: { type: 'array', items: ref('PartInput') },
      });
      expect(schemaIn(paths['/api/two'].post.responses[200]).anyOf).toEqual([ref('Plain'), { type: 'null' }]);
      const { Error: _, ...named } = components.schemas;
      expect(Object.keys(named)).toEqual(['Part', 'PartInput', 'Plain', 'Whole', 'WholeInput']);
      expect(named.Whole.properties.parts.items).toEqual(ref('Part'));
      expect(named.WholeInput.properties.parts.items).toEqual(ref('PartInput'));
    });

    it('also one that contains itself', () => {
      const { components } = documentOf(['one', z.object({ any: jsonValue }), z.object({})]);
      expect(components.schemas.JsonValue.anyOf).toContainEqual({
        type: 'array',
        items: ref('JsonValue'),
      });
    });

    it('and refuses two with one id, or one that contains itself and has none', () => {
      const other = z.object({ other: z.string() }).meta({ id: 'Plain' });
      expect(() => documentOf(['one', plain, z.object({})], ['two', other, z.object({})])).toThrow('Plain');
      expect(() => documentOf(['one', z.object({ any: z.json() }), z.object({})])).toThrow('needs an id');
      const input = z.object({ part: z.string() }).meta({ id: 'PartInput' });
      expect(() => documentOf(['one', part, part], ['two', input, input])).toThrow('PartInput');
    });

    it('and the page for people leads to it', () => {
      const html = renderApiPage(documentOf(['one', whole, z.object({ all: z.array(whole) })]));
      expect(html).toContain('list of <a href="#object-Whole">Whole</a>');
      expect(html).toContain('id="object-Whole"');
      expect(html).toContain('list of <a href="#object-PartInput">PartInput</a>');
    });
  });

  it('refuses two calls at one address', () => {
    const [first] = endpoints;
    if (!first) throw new Error('no endpoint');
    expect(() => buildOpenApi([first, { ...first, name: 'other' }])).toThrow('GET /api/things');
  });
});

describe('the API page', () => {
  const page = renderApiPage(document);

  it('shows every call, its fields and its failures', () => {
    for (const { name } of endpoints) expect(page).toContain(`<details id="${name}">`);
    expect(page).toContain('<code>/api/things/<i>{id}</i></code>');
    expect(page).toContain('From 1. · optional · default 1 · from 1');
    expect(page).toContain('<tr id="error-404">');
  });

  it('has no script and loads nothing', () => {
    expect(page).not.toMatch(/<script|<link|<img|@import|url\(|\son\w+=/);
    expect(page).toContain('&lt;script&gt;');
  });
});
