import { copyFile, readdir, utimes } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { Registry } from 'prom-client';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { FairQueue } from '#platform/server/fair-queue.ts';
import { openFileStore } from '#platform/server/files.ts';
import { formOf, importCsv, openTestApp, type TestApp } from '#test/support/app.ts';
import { animation, bomb, noisePicture, picture } from '#test/support/pictures.ts';
import { type SignedIn, signUp, signUpMember } from '#test/support/sign-in.ts';
import type { Image } from '../contract.ts';
import { removeOfGone } from './forget-images.ts';
import { imagesOnDisk } from './image-files.ts';
import { countImagesIn } from './image-metrics.ts';
import { imageSizes, imagesPort } from './index.ts';

vi.setConfig({ testTimeout: 60_000 });

let test: TestApp;
let owner: SignedIn;
let stranger: SignedIn;

beforeAll(async () => {
  test = await openTestApp();
});
beforeEach(async () => {
  [owner, stranger] = [await signUp(test.app), await signUp(test.app)];
});
afterAll(() => test?.close());

type Fields = Parameters<typeof formOf>[0];

async function send(who: SignedIn, fields: Fields) {
  const { payload, headers } = formOf(fields);
  return test.app.inject({
    method: 'POST',
    url: '/api/images',
    headers: { ...headers, cookie: who.cookie },
    payload,
  });
}

const sendFile = (who: SignedIn, bytes: Uint8Array, name = 'logo.png') => send(who, [['file', bytes, name]]);

async function uploaded(who: SignedIn, bytes: Uint8Array, fields: Fields = []): Promise<Image> {
  const answer = await send(who, [...fields, ['file', bytes, 'Summer sale.png']]);
  expect(answer.statusCode, answer.body).toBe(201);
  return answer.json();
}

const call = (who: SignedIn, method: 'GET' | 'PATCH' | 'DELETE' | 'POST', url: string, payload?: object) =>
  test.app.inject({ method, url, headers: { cookie: who.cookie }, ...(payload ? { payload } : {}) });
const pathOf = ({ url }: Image) => new URL(url).pathname;
/** As a mail program fetches it: without a session. */
const show = (image: Image) => test.app.inject({ url: pathOf(image) });
const drawnOf = async (image: Image) => {
  const { rawPayload } = await show(image);
  return { bytes: rawPayload, ...(await sharp(rawPayload, { pages: -1 }).metadata()) };
};
const list = async (who: SignedIn, query = '') => (await call(who, 'GET', `/api/images${query}`)).json();
const filesOf = ({ workspaceId }: SignedIn) =>
  readdir(join(test.dataDir, 'files', 'images', String(workspaceId))).catch(() => []);
const kept = async (who: SignedIn) => ({
  rows: (await list(who)).totalCount,
  files: (await filesOf(who)).length,
});

describe('an upload', () => {
  it('is kept under an address that nobody can guess, and which anybody may read', async () => {
    const image = await uploaded(owner, await picture(), [['alt', 'A red square']]);
    expect(image).toMatchObject({
      name: 'Summer sale',
      alt: 'A red square',
      width: 40,
      height: 30,
      isAnimated: false,
      createdBy: owner.email,
    });
    expect(image.url).toMatch(/^http:\/\/localhost:3000\/i\/\d+-[\w-]{22}\.png$/);
    const { statusCode, headers, rawPayload } = await show(image);
    expect(statusCode).toBe(200);
    expect(rawPayload).toHaveLength(image.bytes);
    expect(headers).toMatchObject({
      'content-type': 'image/png',
      'content-length': String(image.bytes),
      'x-content-type-options': 'nosniff',
      'cache-control': 'public, max-age=31536000, immutable',
      'content-security-policy': "default-src 'none'; sandbox",
      'cross-origin-resource-policy': 'cross-origin',
    });
    expect(headers['set-cookie']).toBeUndefined();
    const head = await test.app.inject({ method: 'HEAD', url: pathOf(image) });
    expect([head.statusCode, head.headers['content-length'], head.body]).toEqual([
      200,
      String(image.bytes),
      '',
    ]);
  });

  it.each([
    ['png', { format: 'png' }, 'png'],
    ['png with holes', { format: 'png', hasAlpha: true }, 'png'],
    ['jpeg', { format: 'jpeg' }, 'jpeg'],
    ['gif', { format: 'gif' }, 'gif'],
    ['webp', { format: 'webp' }, 'jpeg'],
    ['webp with holes', { format: 'webp', hasAlpha: true }, 'png'],
  ] as const)('of %s is shown by every mail program', async (_, wanted, format) => {
    const image = await uploaded(owner, await picture(wanted));
    expect((await drawnOf(image)).format).toBe(format);
    expect((await show(image)).headers['content-type']).toBe(`image/${format}`);
  });

  it('is made small enough for an email, and turned upright', async () => {
    const wide = await uploaded(owner, await picture({ width: 3000, height: 1500 }));
    expect(wide).toMatchObject({ width: 1200, height: 600 });
    const lying = await sharp(await picture({ width: 80, height: 40, format: 'jpeg' }))
      .withMetadata({ orientation: 6 })
      .toBuffer();
    expect(await uploaded(owner, lying)).toMatchObject({ width: 40, height: 80 });
  });

  it('keeps nothing of what cameras write into a file', async () => {
    const exif = {
      IFD0: { Copyright: 'Jo Bloggs' },
      IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 0/1' },
    };
    const photo = await sharp(await picture({ format: 'jpeg' }))
      .withExif(exif)
      .toBuffer();
    expect(photo.includes('Jo Bloggs')).toBe(true);
    const { bytes, exif: left, icc } = await drawnOf(await uploaded(owner, photo));
    expect([bytes.includes('Jo Bloggs'), left, icc]).toEqual([false, undefined, undefined]);
  });

  it.each(['gif', 'webp'] as const)('of an animated %s stays one', async (format) => {
    const image = await uploaded(owner, await animation({ width: 1500, height: 20, frames: 4, format }));
    expect(image).toMatchObject({ isAnimated: true, width: 1200, height: 16 });
    expect(await drawnOf(image)).toMatchObject({ format: 'gif', pages: 4, delay: [120, 120, 120, 120] });
  });

  it('of a file that is there gives the same image, also if it was deleted', async () => {
    const bytes = await picture();
    const first = await uploaded(owner, bytes);
    expect(await uploaded(owner, bytes, [['alt', 'A square']])).toMatchObject({
      id: first.id,
      alt: 'A square',
    });
    await call(owner, 'DELETE', `/api/images/${first.id}`);
    expect((await uploaded(owner, bytes)).url).toBe(first.url);
    expect(await kept(owner)).toEqual({ rows: 1, files: 1 });
    expect((await uploaded(stranger, bytes)).url).not.toBe(first.url);
  });

  it('of the same file many times at once is kept once', async () => {
    const bytes = await picture();
    const all = await Promise.all(Array.from({ length: 5 }, () => uploaded(owner, bytes)));
    expect(new Set(all.map(({ id }) => id)).size).toBe(1);
    expect(await kept(owner)).toEqual({ rows: 1, files: 1 });
  });
});

const svg =
  '<?xml version="1.0"?>\n<!-- logo --><svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
const header = async (bytes: Promise<Buffer>, length: number) => (await bytes).subarray(0, length);

/** The port at which the product answers real connections. */
async function listening(): Promise<number> {
  if (!test.app.server.listening) await test.app.listen({ port: 0, host: '127.0.0.1' });
  return (test.app.server.address() as { port: number }).port;
}

/** Small frames on a large canvas. */
async function animatedBomb(): Promise<Buffer> {
  const gif = await animation({ frames: 14 });
  for (const at of [6, 8]) gif.writeUInt16LE(2000, at);
  return gif;
}

describe('what is refused', () => {
  it.each<[string, () => Promise<Uint8Array>, number, string, string]>([
    ['an SVG', async () => Buffer.from(svg), 415, 'not_an_image', 'SVG drawing'],
    [
      'HTML',
      async () => Buffer.from('<!doctype html><script>alert(1)</script>'),
      415,
      'not_an_image',
      'HTML file',
    ],
    ['a PDF', async () => Buffer.from('%PDF-1.7\n…'), 415, 'not_an_image', 'a PDF file'],
    [
      'a TIFF',
      () => picture({ format: 'tiff' }),
      415,
      'not_an_image',
      'TIFF file, which mail programs do not show',
    ],
    ['an AVIF', () => picture({ format: 'avif' }), 415, 'not_an_image', 'AVIF file'],
    ['text', async () => Buffer.from('hello'), 415, 'not_an_image', 'not an image'],
    [
      'a GIF that is JavaScript',
      async () => Buffer.from('GIF89a/*aaaa*/=1;alert(1)'),
      400,
      'damaged_image',
      'damaged',
    ],
    ['a head without a picture', () => header(picture(), 30), 400, 'damaged_image', 'damaged'],
    [
      'half a PNG',
      () => header(noisePicture({ width: 90, height: 90, format: 'png' }), 9000),
      400,
      'damaged_image',
      'not complete',
    ],
    [
      'half a JPEG',
      () => header(noisePicture({ width: 90, height: 90 }), 1500),
      400,
      'damaged_image',
      'not complete',
    ],
    [
      'half a GIF',
      () => header(noisePicture({ width: 90, height: 90, format: 'gif' }), 3000),
      400,
      'damaged_image',
      'not complete',
    ],
    [
      'half a WebP',
      () => header(noisePicture({ width: 90, height: 90, format: 'webp' }), 1500),
      400,
      'damaged_image',
      'not complete',
    ],
    [
      'a bomb',
      async () => bomb(50_000, 50_000),
      413,
      'too_many_pixels',
      '2,500 million pixels (50,000 × 50,000',
    ],
    ['an animated bomb', animatedBomb, 413, 'too_many_pixels', 'all frames together'],
    ['nothing', async () => Buffer.alloc(0), 400, 'invalid_input', 'The file is empty.'],
    [
      'more than 5 MB',
      async () => Buffer.alloc(5 * 1_048_576 + 1),
      413,
      'too_large',
      'larger than the 5 MB allowed',
    ],
    [
      'much more than 5 MB',
      async () => Buffer.alloc(9_000_000),
      413,
      'too_large',
      'larger than the 5 MB allowed',
    ],
  ])('%s', async (_, make, status, code, words) => {
    const answer = await sendFile(owner, await make(), 'photo.jpg');
    expect([answer.statusCode, answer.json().code]).toEqual([status, code]);
    expect(answer.json().message).toContain(words);
    expect(answer.json().fields.file).toBeTruthy();
    expect(await kept(owner)).toEqual({ rows: 0, files: 0 });
  });

  it('takes what follows an image for no part of it', async () => {
    const hidden = Buffer.from('%PDF-1.7 <script>alert(1)</script> PK\x03\x04');
    const image = await uploaded(owner, Buffer.concat([await picture({ format: 'jpeg' }), hidden]));
    expect((await drawnOf(image)).bytes.includes('script')).toBe(false);
  });

  it('goes by the content and not by the name', async () => {
    const answer = await sendFile(owner, await picture({ format: 'gif' }), 'page.svg');
    expect(answer.statusCode).toBe(201);
    expect(answer.json().url).toMatch(/\.gif$/);
  });

  it.each<[string, Fields, string]>([
    ['no file', [['alt', 'x']], 'Choose an image.'],
    [
      'two files',
      [
        ['file', 'a', 'a.png'],
        ['file', 'b', 'b.png'],
      ],
      'more than one file. Nothing was stored',
    ],
    [
      'another field',
      [
        ['title', 'x'],
        ['file', 'a', 'a.png'],
      ],
      'This form takes name, alt, file, and not “title”.',
    ],
    [
      'a name of two lines',
      [
        ['name', 'a\nb'],
        ['file', 'a', 'a.png'],
      ],
      'A name is one line of plain text.',
    ],
    [
      'an endless text',
      [
        ['alt', 'x'.repeat(301)],
        ['file', 'a', 'a.png'],
      ],
      'at most 300 characters',
    ],
  ])('a form with %s', async (_, fields, words) => {
    const answer = await send(owner, fields);
    expect([answer.statusCode, answer.json().message]).toEqual([400, expect.stringContaining(words)]);
    expect(await kept(owner)).toEqual({ rows: 0, files: 0 });
  });

  it('a sender who is no editor, and one that sends JSON', async () => {
    const { workspaceId } = owner;
    const viewer = await signUpMember(test.app, test.database, { workspaceId, role: 'viewer' });
    expect((await sendFile(viewer, await picture())).statusCode).toBe(403);
    expect((await call(owner, 'POST', '/api/images', { file: 'x' })).statusCode).toBe(415);
  });

  it('more than the workspace may keep', async () => {
    const { id } = await uploaded(owner, await picture());
    await sql`update images set bytes = ${1e9} where id = ${id}`.execute(test.owner.system);
    const answer = await sendFile(owner, await picture());
    expect([answer.statusCode, answer.json().code]).toEqual([409, 'images_full']);
    expect(answer.json().message).toContain('take up 1 GB');
    expect(await kept(owner)).toEqual({ rows: 1, files: 1 });
    await call(owner, 'DELETE', `/api/images/${id}`);
    await uploaded(owner, await picture());
    await sql`update images set bytes = ${2 * 1e9} where id = ${id}`.execute(test.owner.system);
    expect((await sendFile(owner, await picture())).json().message).toContain('take up 2 GB');
  });

  it.each([6, 40])('answers a sender of %i MB who is still sending', async (megabytes) => {
    const { payload, headers } = formOf([['file', Buffer.alloc(megabytes * 1_000_000), 'huge.png']]);
    const answer = await fetch(`http://127.0.0.1:${await listening()}/api/images`, {
      method: 'POST',
      headers: { ...headers, cookie: owner.cookie },
      body: payload,
    });
    expect([answer.status, await answer.json()]).toEqual([
      413,
      expect.objectContaining({ code: 'too_large' }),
    ]);
    expect(await kept(owner)).toEqual({ rows: 0, files: 0 });
  });

  it('leaves nothing of an upload that is cut off', async () => {
    const port = await listening();
    const { payload, headers } = formOf([['file', await noisePicture(), 'photo.jpg']]);
    const socket = connect(port, '127.0.0.1').on('error', () => undefined);
    socket.write(
      `POST /api/images HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nCookie: ${owner.cookie}\r\n` +
        `Content-Type: ${headers['content-type']}\r\nContent-Length: ${payload.length}\r\n\r\n`,
    );
    socket.write(payload.subarray(0, 100_000));
    await vi.waitFor(async () => expect(await filesOf(owner)).toHaveLength(1), 20_000);
    socket.destroy();
    await vi.waitFor(async () => expect(await filesOf(owner)).toEqual([]), 20_000);
    expect(await kept(owner)).toEqual({ rows: 0, files: 0 });
  });
});

describe('the library', () => {
  it('is searched by name and by what images show, and comes in pages', async () => {
    for (const [name, alt] of [
      ['Logo', 'A kestrel'],
      ['Spring 100% off', ''],
      ['Team', 'Five people on a bench'],
    ] as const)
      await uploaded(owner, await picture(), [
        ['name', name],
        ['alt', alt],
      ]);
    const names = async (query: string) => (await list(owner, query)).items.map(({ name }: Image) => name);
    expect(await names('')).toEqual(['Team', 'Spring 100% off', 'Logo']);
    expect(await names('?search=KESTREL')).toEqual(['Logo']);
    expect(await names('?search=0%25')).toEqual(['Spring 100% off']);
    const first = await list(owner, '?limit=2');
    expect(first).toMatchObject({ totalCount: 3, mostBytes: 1e9 });
    expect(first.usedBytes).toBeGreaterThan(100);
    const rest = await list(owner, `?limit=2&cursor=${encodeURIComponent(first.nextCursor)}`);
    expect(rest.items.map(({ name }: Image) => name)).toEqual(['Logo']);
    expect(await list(stranger)).toMatchObject({ items: [], totalCount: 0, usedBytes: 0 });
  });

  it('renames an image and says what it shows, in the audit log too', async () => {
    const { id } = await uploaded(owner, await picture());
    const body = { name: 'Logo', alt: '' };
    expect((await call(owner, 'PATCH', `/api/images/${id}`, body)).json()).toMatchObject(body);
    const { items } = (await call(owner, 'GET', '/api/audit?area=templates')).json();
    expect(items.map(({ action }: { action: string }) => action)).toEqual([
      'image.changed',
      'image.uploaded',
    ]);
    expect((await call(owner, 'PATCH', `/api/images/${id}`, { name: ' ' })).json().message).toBe(
      'Image name is required',
    );
  });

  it('deletes and restores, and the address answers meanwhile', async () => {
    const image = await uploaded(owner, await picture());
    const at = `/api/images/${image.id}`;
    expect((await call(owner, 'DELETE', at)).json()).toEqual({ deleted: 1, usedBy: [] });
    expect((await call(owner, 'GET', at)).statusCode).toBe(404);
    expect((await show(image)).statusCode).toBe(200);
    expect((await call(owner, 'DELETE', at)).statusCode).toBe(404);
    expect((await call(owner, 'POST', `${at}/restore`)).json()).toMatchObject({ id: image.id });
    expect((await call(owner, 'GET', at)).json()).toMatchObject({ usedBy: [] });
  });

  it('is nobody else’s', async () => {
    const { id } = await uploaded(owner, await picture());
    const at = `/api/images/${id}`;
    for (const answer of [
      await call(stranger, 'GET', at),
      await call(stranger, 'PATCH', at, { name: 'Mine' }),
      await call(stranger, 'DELETE', at),
      await call(stranger, 'POST', `${at}/restore`),
    ])
      expect(answer.statusCode).toBe(404);
  });

  it.each([
    '1-short.png',
    'nothing',
    '..%2F..%2Fsecret-key',
    '1-aaaaaaaaaaaaaaaaaaaaaa.svg',
    '0-aaaaaaaaaaaaaaaaaaaaaa.png',
  ])('has nothing at the address %s', async (file) => {
    const answer = await test.app.inject({ url: `/i/${file}` });
    expect([answer.statusCode, answer.json().code]).toEqual([404, 'not_found']);
  });

  it('is not found by another workspace’s number or another ending', async () => {
    const image = await uploaded(owner, await picture());
    for (const path of [
      pathOf(image).replace(`/${owner.workspaceId}-`, `/${stranger.workspaceId}-`),
      pathOf(image).replace('.png', '.jpg'),
    ])
      expect((await test.app.inject({ url: path })).statusCode).toBe(404);
  });
});

describe('at night', () => {
  const age = (days: number) =>
    sql`update images set deleted_at = deleted_at - make_interval(days => ${days}::int)
        where workspace_id = ${owner.workspaceId}`.execute(test.owner.system);

  it('images that were deleted 30 days ago go for good, unless something still shows them', async () => {
    const [gone, held, late] = [
      await uploaded(owner, await picture()),
      await uploaded(owner, await picture()),
      await uploaded(owner, await picture()),
    ];
    test.use(imagesPort).add({
      usesOf: async () => [],
      held: async (_tx, _workspaceId, tokens) => tokens.filter((token) => held.url.includes(token)),
    });
    for (const { id } of [gone, held]) await call(owner, 'DELETE', `/api/images/${id}`);
    await age(31);
    await call(owner, 'DELETE', `/api/images/${late.id}`);
    await test.nightly();
    expect([
      (await show(gone)).statusCode,
      (await show(held)).statusCode,
      (await show(late)).statusCode,
    ]).toEqual([404, 200, 200]);
    expect((await call(owner, 'POST', `/api/images/${gone.id}/restore`)).statusCode).toBe(404);
    expect((await call(owner, 'POST', `/api/images/${held.id}/restore`)).statusCode).toBe(200);
    expect(await filesOf(owner)).toHaveLength(2);
  });

  it('images stay that a template, an older version of it or a deleted one shows', async () => {
    const [now, before, inBin] = [
      await uploaded(owner, await picture()),
      await uploaded(owner, await picture()),
      await uploaded(owner, await picture()),
    ];
    const html = ({ url }: Image) => `<p>Hello</p><img src="${url}" alt="">`;
    const write = async (name: string, image: Image) =>
      (
        await call(owner, 'POST', '/api/templates', { name, category: 'custom', htmlContent: html(image) })
      ).json();
    const news = await write('News', before);
    const at = (path = '') => `/api/templates/${news.id}${path}`;
    await call(owner, 'PATCH', at(), { htmlContent: html(now) });
    const old = await write('Old', inBin);
    await call(owner, 'DELETE', `/api/templates/${old.id}`);
    const usesOf = async ({ id }: Image) => (await call(owner, 'GET', `/api/images/${id}`)).json().usedBy;
    expect(await usesOf(now)).toEqual([{ kind: 'template', id: news.id, name: 'News' }]);
    expect([await usesOf(before), await usesOf(inBin)]).toEqual([[], []]);
    const removed = (await call(owner, 'DELETE', `/api/images/${now.id}`)).json();
    expect(removed.usedBy).toHaveLength(1);
    for (const { id } of [before, inBin]) await call(owner, 'DELETE', `/api/images/${id}`);
    await age(31);
    await test.nightly();
    for (const image of [now, before, inBin]) expect((await show(image)).statusCode).toBe(200);
  });

  it('images stay that a campaign shows, and they are said to be shown', async () => {
    const shows = ({ url }: Image) => `<p>Hello</p><img src="${url}" alt="">`;
    const html = await uploaded(owner, await picture());
    const drawn = await uploaded(owner, await picture());
    const tried = await uploaded(owner, await picture());
    const inBin = await uploaded(owner, await picture());
    const write = async (body: object) =>
      (await call(owner, 'POST', '/api/campaigns', { name: 'Spring', subject: 'Hi', ...body })).json();
    const campaigns = [
      await write({ content: shows(html), template: 'custom' }),
      await write({
        mjml: `<mjml><mj-body><mj-section><mj-column><mj-image src="${drawn.url}" alt=""/></mj-column></mj-section></mj-body></mjml>`,
      }),
      await write({
        content: '<p>Hello</p>',
        template: 'custom',
        abTest: {
          variants: [{ subject: 'Ho', content: shows(tried) }],
          share: 20,
          decideBy: 'opens',
          hours: 4,
        },
      }),
      await write({ content: shows(inBin), template: 'custom' }),
    ];
    await call(owner, 'DELETE', `/api/campaigns/${campaigns[3].id}`);
    const removed = async ({ id }: Image) => (await call(owner, 'DELETE', `/api/images/${id}`)).json().usedBy;
    const use = ({ id }: { id: number }) => [{ kind: 'campaign', id, name: 'Spring' }];
    expect(await removed(html)).toEqual(use(campaigns[0]));
    expect(await removed(drawn)).toEqual(use(campaigns[1]));
    expect(await removed(tried)).toEqual(use(campaigns[2]));
    expect(await removed(inBin)).toEqual([]);
    await age(31);
    await test.nightly();
    for (const image of [html, drawn, tried, inBin]) expect((await show(image)).statusCode).toBe(200);
  });

  it('images that were sent stay for two years, whatever becomes of what was sent', async () => {
    const [news, filled, never] = [
      await uploaded(owner, await picture()),
      await uploaded(owner, await picture()),
      await uploaded(owner, await picture()),
    ];
    await importCsv(test.app, owner.cookie, 'email\njo@shop.co.uk\n');
    const { id } = (
      await call(owner, 'POST', '/api/campaigns', {
        ...{ name: 'Spring', subject: 'Hi', template: 'custom' },
        content: `<p>Hello <a href="{{ unsubscribe_link }}">Leave</a></p><img src="${news.url}" alt="">`,
      })
    ).json();
    const sent = await call(owner, 'POST', `/api/campaigns/${id}/send`);
    expect(sent.statusCode, sent.body).toBe(200);
    const receipt = await call(owner, 'POST', '/api/send', {
      ...{ to: 'jo@shop.co.uk', subject: 'Receipt', html: '<img src="{{ photo }}" alt="">' },
      data: { photo: filled.url },
    });
    expect(receipt.statusCode, receipt.body).toBeLessThan(300);
    const until = Date.parse((await call(owner, 'GET', `/api/images/${filled.id}`)).json().keptUntil);
    expect((until - Date.now()) / 86_400_000).toBeGreaterThan(729);
    expect((await call(owner, 'GET', `/api/images/${never.id}`)).json().keptUntil).toBeNull();
    for (const image of [news, filled, never]) await call(owner, 'DELETE', `/api/images/${image.id}`);
    // Nothing is left of what was sent, as when the ledger of single messages has been forgotten.
    for (const table of ['campaigns', 'mailings'])
      await sql`delete from ${sql.table(table)} where workspace_id = ${owner.workspaceId}`.execute(
        test.owner.system,
      );
    await age(31);
    await test.nightly();
    const answers = async () =>
      Promise.all([news, filled, never].map(async (image) => (await show(image)).statusCode));
    expect(await answers()).toEqual([200, 200, 404]);
    await sql`update images set kept_until = now() - interval '1 day'
      where workspace_id = ${owner.workspaceId}`.execute(test.owner.system);
    await test.nightly();
    expect(await answers()).toEqual([404, 404, 404]);
  });

  it('files that no image names go when they are no longer young', async () => {
    const image = await uploaded(owner, await picture());
    const folder = join(test.dataDir, 'files', 'images', String(owner.workspaceId));
    const [name = ''] = await filesOf(owner);
    const left = [
      'arriving-old',
      'A'.repeat(22).concat('.png'),
      'B'.repeat(22).concat('.png.part'),
      'arriving-young',
    ];
    for (const file of left) await copyFile(join(folder, name), join(folder, file));
    const old = new Date(Date.now() - 2 * 3_600_000);
    for (const file of [name, ...left.slice(0, 3)]) await utimes(join(folder, file), old, old);
    await test.nightly();
    expect((await filesOf(owner)).sort()).toEqual([name, 'arriving-young'].sort());
    expect((await show(image)).statusCode).toBe(200);
  });
});

it('the images of a workspace that is not there any more go', async () => {
  const [here, gone] = [await uploaded(owner, await picture()), await uploaded(stranger, await picture())];
  const files = openFileStore(join(test.dataDir, 'files'));
  const old = new Date(Date.now() - 2 * 3_600_000);
  for (const who of [owner, stranger])
    for (const file of await filesOf(who))
      await utimes(join(test.dataDir, 'files', 'images', String(who.workspaceId), file), old, old);
  await removeOfGone({ kept: imagesOnDisk(files) }, async () => [owner.workspaceId]);
  expect([(await show(here)).statusCode, (await show(gone)).statusCode]).toEqual([200, 404]);
});

it('ten uploads at once keep nobody else waiting', async () => {
  const pictures = await Promise.all(Array.from({ length: 10 }, () => noisePicture()));
  let isDone = false;
  const all = Promise.all(pictures.map((bytes) => uploaded(owner, bytes))).finally(() => {
    isDone = true;
  });
  const waits: number[] = [];
  while (!isDone) {
    const begun = performance.now();
    expect((await call(stranger, 'GET', '/api/settings')).statusCode).toBe(200);
    waits.push(performance.now() - begun);
    await sleep(20);
  }
  await all;
  expect(waits.length).toBeGreaterThan(5);
  expect(waits.sort((one, other) => one - other)[Math.floor(waits.length * 0.9)]).toBeLessThan(1000);
});

it('a template is told that an image of it has more than 200 kB', async () => {
  const [heavy, light] = [
    await uploaded(owner, await noisePicture({ format: 'png', width: 500, height: 400 })),
    await uploaded(owner, await picture()),
  ];
  expect(heavy.bytes).toBeGreaterThan(200_000);
  const told = async (who: SignedIn, { url }: Image) => {
    const body = { htmlContent: `<p>Hello</p>\n<img src="${url}" alt="A photo">` };
    const { warnings } = (await call(who, 'POST', '/api/templates/preview', body)).json();
    return warnings.filter(({ words }: { words: string }) => words.includes('readers on a phone wait'));
  };
  expect(await told(owner, heavy)).toEqual([expect.objectContaining({ line: 2, part: 'html' })]);
  expect([await told(owner, light), await told(stranger, heavy)]).toEqual([[], []]);
});

it('counts what was stored, what was refused and who waits', async () => {
  const registry = new Registry();
  const turns = new FairQueue({ size: 1, each: 1 });
  const count = countImagesIn(registry, turns);
  count.stored(1200);
  count.stored(300);
  count.refused('damaged_image');
  count.drawn(0.2);
  const end = await turns.enter({ workspaceId: 1, person: null }, { waitMs: 1000 });
  const next = turns.enter({ workspaceId: 2, person: null }, { waitMs: 60_000 });
  const text = await registry.metrics();
  for (const line of [
    'image_uploads_total{outcome="stored"} 2',
    'image_uploads_total{outcome="damaged_image"} 1',
    'image_bytes_stored_total 1500',
    'image_drawing_seconds_count 1',
    'image_uploads_waiting 1',
  ])
    expect(text).toContain(line);
  end();
  (await next)();
});

it('tells others how large images are', async () => {
  const image = await uploaded(owner, await picture());
  const elsewhere = await uploaded(stranger, await picture());
  const urls = [image.url, pathOf(image), elsewhere.url, 'https://acme.co.uk/logo.png', `${image.url}?x=1`];
  const sizes = await test.database.asTenant(owner.workspaceId, (tx) =>
    imageSizes(tx, owner.workspaceId, urls),
  );
  expect([...sizes]).toEqual([image.url, pathOf(image), `${image.url}?x=1`].map((url) => [url, image.bytes]));
});
