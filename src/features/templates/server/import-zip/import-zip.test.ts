import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { strToU8, type Zippable, zipSync } from 'fflate';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { formOf, openTestApp, type TestApp } from '#test/support/app.ts';
import { bomb, picture } from '#test/support/pictures.ts';
import { type SignedIn, signUp, signUpMember } from '#test/support/sign-in.ts';

let test: TestApp;
let owner: SignedIn;

beforeAll(async () => {
  test = await openTestApp();
});
beforeEach(async () => {
  owner = await signUp(test.app, { name: 'Priya Shah' });
});
afterAll(() => test.close());

const zipOf = (files: Zippable) => zipSync(files);
const html = (text: string) => strToU8(text);

async function send(bytes: Uint8Array, who = owner, name = 'newsletter.zip') {
  const { payload, headers } = formOf([['file', bytes, name]]);
  const url = '/api/templates/import/zip';
  const answer = await test.app.inject({
    method: 'POST',
    url,
    headers: { ...headers, cookie: who.cookie },
    payload,
  });
  return { status: answer.statusCode, body: answer.json() };
}

async function get(url: string) {
  return (await test.app.inject({ url, headers: { cookie: owner.cookie } })).json();
}
const stored = async () => (await get('/api/images')).items;

describe('a zip with HTML and its images', () => {
  it('comes in clean, with its images stored and shown where they were', async () => {
    const { status, body } = await send(
      zipOf({
        'mail/index.html': html(
          '<p onclick="a()">Dear *|FNAME|*</p><img src="images/Logo.png" alt="Our logo">' +
            '<td background="images/logo.png" style="background: url(images/logo.png)"><img src="images/gone.png">',
        ),
        'mail/images/Logo.png': await picture(),
        'mail/images/unused.png': await picture(),
        'mail/other.html': html('<p>Other</p>'),
      }),
    );
    expect(status, JSON.stringify(body)).toBe(200);
    const [image] = await stored();
    expect(await stored()).toHaveLength(1);
    expect(image).toMatchObject({ name: 'logo', alt: 'Our logo' });
    expect(body).toMatchObject({
      htmlFile: 'mail/index.html',
      otherHtmlFiles: ['mail/other.html'],
      turnedTags: 1,
      leftOut: [{ what: 'an event handler' }],
      images: [{ file: 'mail/images/logo.png', id: image.id, url: image.url, wasThere: false }],
      lostImages: [{ file: 'images/gone.png', words: 'It is not in the zip.' }],
    });
    expect(body.htmlContent).toContain(`<img src="${image.url}" alt="Our logo">`);
    expect(body.htmlContent).toContain(`background="${image.url}"`);
    expect(body.htmlContent).toContain(`url(${image.url})`);
    expect(body.htmlContent).toContain('src="images/gone.png"');
    expect(await get('/api/templates')).toMatchObject({ totalCount: 0 });
    expect(await leftovers()).toEqual([]);
  });

  it('gives the same images when it comes twice', async () => {
    const zip = zipOf({ 'a.html': html('<img src="a.png">'), 'a.png': await picture() });
    const first = await send(zip);
    const second = await send(zip);
    const [image] = first.body.images;
    expect(image.wasThere).toBe(false);
    expect(second.body).toEqual({ ...first.body, images: [{ ...image, wasThere: true }] });
    expect(await stored()).toHaveLength(1);
    // A deleted one comes back, so it was not there.
    const url = `/api/images/${image.id}`;
    await test.app.inject({ method: 'DELETE', url, headers: { cookie: owner.cookie } });
    expect((await send(zip)).body).toEqual(first.body);
  });

  it('says which images could not be taken, and takes the others', async () => {
    const { body } = await send(
      zipOf({
        'a.html': html(
          '<img src="text.png"><img src="vector.svg"><img src="huge.png"><img src="bomb.png"><img src="ok.png">',
        ),
        'text.png': html('No picture'),
        'vector.svg': html('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'),
        'huge.png': new Uint8Array(6_000_000),
        'bomb.png': bomb(20_000, 20_000),
        'ok.png': await picture(),
      }),
    );
    expect(body.images).toHaveLength(1);
    expect(body.lostImages.map(({ file }: { file: string }) => file)).toEqual([
      'text.png',
      'vector.svg',
      'huge.png',
      'bomb.png',
    ]);
    expect(body.lostImages[2].words).toBe('It is larger than the 5 MB allowed.');
    expect(await stored()).toHaveLength(1);
  });

  it('takes sixty images at most', async () => {
    const names = Array.from({ length: 62 }, (_, index) => `${index}.png`);
    const bytes = await picture();
    const { body } = await send(
      zipOf({
        'a.html': html(names.map((name) => `<img src="${name}">`).join('')),
        ...Object.fromEntries(names.map((name) => [name, bytes])),
      }),
    );
    expect(body.images).toHaveLength(60);
    expect(body.lostImages.map(({ file }: { file: string }) => file)).toEqual(['60.png', '61.png']);
  });
});

/** What is left on the disk of zips that came in. */
const leftovers = () =>
  readdir(join(test.dataDir, 'files/templates', String(owner.workspaceId))).catch(() => ['no such folder']);

/** Sets a flag in the headers of all files of a zip. */
function flagged(zip: Uint8Array): Uint8Array {
  const bytes = Buffer.from(zip);
  for (let at = 0; at < bytes.length - 4; at++) {
    const signature = bytes.readUInt32LE(at);
    if (signature === 0x04034b50) bytes[at + 6] = (bytes[at + 6] ?? 0) | 1;
    if (signature === 0x02014b50) bytes[at + 8] = (bytes[at + 8] ?? 0) | 1;
  }
  return bytes;
}

/** Says of each file that it unpacks to fewer bytes than it does. */
function lying(zip: Uint8Array): Uint8Array {
  const bytes = Buffer.from(zip);
  for (let at = 0; at < bytes.length - 4; at++) {
    const signature = bytes.readUInt32LE(at);
    if (signature === 0x04034b50) bytes.writeUInt32LE(10, at + 22);
    if (signature === 0x02014b50) bytes.writeUInt32LE(10, at + 24);
  }
  return bytes;
}

const renamed = (zip: Uint8Array, from: string, to: string): Uint8Array =>
  Buffer.from(Buffer.from(zip).toString('latin1').replaceAll(from, to), 'latin1');

describe('a hostile or broken zip is refused with a sentence, and nothing is stored', () => {
  const good = async () => zipOf({ 'aa.html': html('<img src="bb.png">'), 'bb.png': await picture() });
  const cases: [name: string, make: () => Promise<Uint8Array>, words: RegExp][] = [
    ['that is no zip', async () => html('<p>Hello</p>'), /damaged/],
    ['that is cut off', async () => (await good()).slice(0, 150), /damaged/],
    ['without HTML', async () => zipOf({ 'a.png': await picture() }), /no HTML/],
    ['with an empty HTML', async () => zipOf({ 'a.html': html(' ') }), /is empty/],
    ['with binary in its HTML', async () => zipOf({ 'a.html': html('a\0b') }), /is no HTML/],
    [
      'whose HTML is a bomb',
      async () => zipOf({ 'a.html': new Uint8Array(200_000_000) }),
      /larger than 1 MB/,
    ],
    [
      'whose HTML is too long',
      async () => zipOf({ 'a.html': html('x'.repeat(1_000_001)) }),
      /larger than 1 MB/,
    ],
    [
      'whose HTML is too deep',
      async () => zipOf({ 'a.html': html('<div>'.repeat(1_500)) }),
      /inside each other/,
    ],
    [
      'that lies about its sizes',
      async () => lying(zipOf({ 'a.html': html('<p>Hello</p>'.repeat(1_000)) })),
      /damaged/,
    ],
    [
      'with a wrong sum',
      async () => renamed(zipOf({ 'a.html': [html('<p>Hello</p>'), { level: 0 }] }), 'Hello', 'Jello'),
      /damaged/,
    ],
    ['with a password', async () => flagged(await good()), /password/],
    ['with a path that leads out', async () => renamed(await good(), 'bb.png', '../b.p'), /lead out/],
    ['with an absolute path', async () => renamed(await good(), 'bb.png', '/b.png'), /lead out/],
    [
      'with too many files',
      async () =>
        zipOf({
          'a.html': html('<p>a</p>'),
          ...Object.fromEntries(Array.from({ length: 2_001 }, (_, index) => [`${index}`, html('a')])),
        }),
      /more than 2,000 files/,
    ],
    ['that is empty', async () => new Uint8Array(0), /Choose a zip/],
  ];
  it.each(cases)('%s', async (_, make, words) => {
    const { status, body } = await send(await make());
    expect(status, JSON.stringify(body)).toBe(400);
    expect(JSON.stringify(body)).toMatch(words);
    expect(await stored()).toEqual([]);
    expect(await leftovers()).toEqual([]);
  });

  it('that is too large', async () => {
    const { status } = await send(new Uint8Array(26 * 1_048_576));
    expect(status).toBe(413);
    expect(await stored()).toEqual([]);
  });
});

it('is for those who write, and a key needs the right to store images', async () => {
  const zip = zipOf({ 'a.html': html('<img src="a.png">'), 'a.png': await picture() });
  const { workspaceId } = owner;
  const viewer = await signUpMember(test.app, test.database, {
    workspaceId,
    role: 'viewer',
    name: 'Ann Bell',
  });
  expect((await send(zip, viewer)).status).toBe(403);
  const withKey = async (scopes: string[]) => {
    const { key } = (
      await test.app.inject({
        method: 'POST',
        url: '/api/keys',
        headers: { cookie: owner.cookie },
        payload: { name: 'Shop', scopes },
      })
    ).json();
    const { payload, headers } = formOf([['file', zip, 'a.zip']]);
    const url = '/api/templates/import/zip';
    const authorization = `Bearer ${key}`;
    return test.app.inject({ method: 'POST', url, headers: { ...headers, authorization }, payload });
  };
  expect((await withKey(['templates:write'])).statusCode).toBe(403);
  expect(await stored()).toEqual([]);
  expect((await withKey(['templates:write', 'images:write'])).statusCode).toBe(200);
});
