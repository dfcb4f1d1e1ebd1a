import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openTestApp, type TestApp } from '#test/support/app.ts';
import { type SignedIn, signUp } from '#test/support/sign-in.ts';

let test: TestApp;
let owner: SignedIn;
let stranger: SignedIn;

beforeAll(async () => {
  test = await openTestApp();
  stranger = await signUp(test.app);
});
afterAll(() => test.close());
beforeEach(async () => {
  owner = await signUp(test.app);
});

async function call(who: SignedIn, method: 'GET' | 'POST' | 'PATCH', url: string, payload?: object) {
  const headers = { cookie: who.cookie };
  const answer = await test.app.inject({ method, url, headers, ...(payload ? { payload } : {}) });
  return { status: answer.statusCode, text: answer.body, body: answer.json };
}
const preview = async (body: object, who = owner) => {
  const answer = await call(who, 'POST', '/api/templates/preview', body);
  return { status: answer.status, body: answer.body() };
};
const contact = async (fields: object = {}): Promise<number> =>
  (
    await call(owner, 'POST', '/api/emails', {
      ...{ email: 'ann@millbank.co.uk', firstName: 'Ann <b>', checkSuppressions: false },
      ...fields,
    })
  ).body().id;
const aroundMjml = (html: string) => `<mjml><mj-body><mj-raw>${html}</mj-raw></mj-body></mjml>`;
const footer = '<p>{{company_address}} <a href="{{unsubscribe_link}}">Unsubscribe</a></p>';
const hello = `<p>Hello {{ first_name | default: "friend" }}</p>${footer}`;

describe('a preview', () => {
  it('is filled with sample values, and with the company as the settings name it', async () => {
    const { body } = await preview({ htmlContent: `${hello}{{company_name}}` });
    expect(body).toMatchObject({ problems: [], warnings: [], contact: null, isTextMade: true });
    expect(body.html).toContain('Hello Priya');
    expect(body.html).toContain('Harbour &amp; Pine');
    expect(body.text).toContain('Hello Priya');
    expect(body.textSource).toContain('Hello {{ first_name | default: "friend" }}');
    await call(owner, 'PATCH', '/api/settings', { sender: { company: 'Millbank & Sons' } });
    expect((await preview({ htmlContent: '{{company_name}}' })).body.html).toBe('Millbank &amp; Sons');
  });

  it('says which words of the sender in it are samples, until the settings say them', async () => {
    const sampledIn = async (body: object) => (await preview(body)).body.sampled;
    const set = (sender: object) => call(owner, 'PATCH', '/api/settings', { sender });
    const htmlContent = `<p>{{ company_name | upcase }}</p>${footer}`;
    expect(await sampledIn({ htmlContent })).toEqual(['company_name', 'company_address']);
    expect(await sampledIn({ htmlContent: footer })).toEqual(['company_address']);
    expect(await sampledIn({ htmlContent: '<p>Hello</p>' })).toEqual([]);
    const contactId = await contact();
    await set({ company: 'Millbank & Sons' });
    expect(await sampledIn({ htmlContent, contactId })).toEqual(['company_address']);
    await set({ postalAddress: '1 Mill Lane, Leeds' });
    expect(await sampledIn({ htmlContent, contactId })).toEqual([]);
  });

  it('knows which day it is', async () => {
    const { body } = await preview({ htmlContent: '© {{ "now" | date: "%Y" }}' });
    expect(body.html).toMatch(/^© 20\d\d$/);
  });

  it('is filled for a contact, whose values nobody else fills in', async () => {
    const contactId = await contact();
    const { body } = await preview({ htmlContent: hello, textContent: 'Dear {{first_name}}', contactId });
    expect(body.contact).toMatchObject({ id: contactId, address: 'ann@millbank.co.uk' });
    expect(body.html).toContain('Hello Ann &lt;b&gt;');
    expect(body).toMatchObject({ text: 'Dear Ann <b>', isTextMade: false });
    const nameless = await contact({ email: 'x@millbank.co.uk', firstName: '' });
    const other = await preview({ htmlContent: `${hello}{{last_name}}`, contactId: nameless });
    expect(other.body.html).toContain('Hello friend');
    expect(other.body.html).not.toContain('Shah');
  });

  it.each([
    ['POST', '/api/templates/preview', (html: string) => ({ htmlContent: html })],
    ['POST', '/api/templates/preview', (html: string) => ({ mjml: aroundMjml(html) })],
    ['POST', '/api/templates', (html: string) => ({ name: 'x', category: 'custom', htmlContent: html })],
    ['POST', '/api/templates', (html: string) => ({ name: 'x', category: 'custom', mjml: aroundMjml(html) })],
    ['POST', '/api/templates/import', (html: string) => ({ html })],
  ] as const)('%s %s refuses elements too deep inside each other', async (method, url, bodyOf) => {
    for (const levels of [1_100, 60_000]) {
      const answer = await call(owner, method, url, bodyOf('<div>'.repeat(levels)));
      expect(answer).toMatchObject({ status: 400 });
      expect(answer.body().message).toMatch(/more than 1,000 elements|takes too long/);
    }
  });

  it('says what is wrong where, and shows what was written', async () => {
    const htmlContent = '<p>\nHello {% if first_name %}</p>';
    const { body } = await preview({ htmlContent });
    expect(body.problems).toMatchObject([{ part: 'html', line: 2 }]);
    expect(body.html).toBe(htmlContent);
    const { warnings } = (await preview({ htmlContent: '<p>{{ frist_name }}</p>' })).body;
    const words = warnings.map((warning: { words: string }) => warning.words).join();
    expect(words).toMatch(/unsubscribe/);
    expect(words).toContain('Did you mean “first_name”?');
  });

  it.each([
    ['html', { htmlContent: hello }],
    ['mjml', { mjml: aroundMjml(hello) }],
    [
      'visual',
      {
        document: {
          version: 1,
          blocks: [{ id: 'a', type: 'html', html: hello }],
        },
      },
    ],
  ])('names what is wrong with the text part where the message is written in %s', async (_, content) => {
    const asked = await preview({ ...content, textContent: 'Hello\n{{ frist_name }}' });
    expect(asked.body.warnings).toContainEqual(
      expect.objectContaining({ part: 'text', line: 2, words: expect.stringContaining('“first_name”') }),
    );
    expect(asked.body.textSource).toBe('Hello\n{{ frist_name }}');
    const made = (await preview(content)).body;
    expect(made.textSource).toContain('Hello {{ first_name | default: "friend" }}');
    expect(made.warnings).toEqual([]);
  });

  it('of a template that does too much work ends with a sentence', async () => {
    const loop = '{% for a in (1..10000) %}';
    const { body } = await preview({ htmlContent: `${loop}${loop}x{% endfor %}{% endfor %}` });
    expect(body.problems[0].words).toMatch(/too much work/);
  });

  it('shows no contact of another workspace, nor to a key that may not read contacts', async () => {
    const contactId = await contact();
    expect((await preview({ htmlContent: hello, contactId }, stranger)).status).toBe(404);
    const keyFor = async (scopes: string[]) =>
      (await call(owner, 'POST', '/api/keys', { name: 'Shop', scopes })).body().key;
    const ask = async (key: string, payload: object) => {
      const headers = { authorization: `Bearer ${key}` };
      return test.app.inject({ method: 'POST', url: '/api/templates/preview', headers, payload });
    };
    const templates = await keyFor(['templates:read']);
    expect((await ask(templates, { htmlContent: hello, contactId })).statusCode).toBe(403);
    expect((await ask(templates, { htmlContent: hello })).statusCode).toBe(200);
    const both = await keyFor(['templates:read', 'contacts:read']);
    expect((await ask(both, { htmlContent: hello, contactId })).statusCode).toBe(200);
  });
});

describe('a template as a page', () => {
  it('is filled with sample values or for a contact', async () => {
    const content = { name: 'News', category: 'custom', htmlContent: hello };
    const { id } = (await call(owner, 'POST', '/api/templates', content)).body();
    expect((await call(owner, 'GET', `/api/templates/${id}/page`)).text).toContain('Hello Priya');
    expect((await call(owner, 'GET', `/api/templates/${id}/page?dark=true`)).text).toContain('invert(0.9)');
    const page = `/api/templates/${id}/page?contact=${await contact()}`;
    expect((await call(owner, 'GET', page)).text).toContain('Hello Ann &lt;b&gt;');
    expect((await call(owner, 'GET', `/api/templates/${id}/page?contact=999999`)).status).toBe(404);
    const broken = { ...content, htmlContent: '{% if %}' };
    const { id: brokenId } = (await call(owner, 'POST', '/api/templates', broken)).body();
    expect((await call(owner, 'GET', `/api/templates/${brokenId}/page`)).text).toContain('{% if %}');
  });
});
