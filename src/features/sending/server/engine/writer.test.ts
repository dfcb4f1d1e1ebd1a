import { describe, expect, it } from 'vitest';
import type { MailingRow } from '../mailing-queries.ts';
import type { DueSend } from '../send-queries.ts';
import { domainOf, writerOf } from './writer.ts';

const mailing = {
  ...{ workspaceId: 1, id: 7, kind: 'campaign', mergeData: {}, tracksOpens: false, tracksClicks: false },
  ...{ subject: 'News', preheader: '', html: '<p>Hello</p>', text: 'Hello' },
  ...{ fromName: 'Bücher', fromAddress: 'news@bücher.co.uk', replyTo: null },
} as MailingRow;
const send: DueSend = {
  ...{ id: 5, triedSeconds: 0, local: 'jo', domain: 'shop.co.uk', address: 'jo@shop.co.uk', name: null },
  ...{ firstName: null, lastName: null, source: null, date: null, attributes: {}, data: null, tags: null },
};

const writerFor = (part: Partial<MailingRow>) =>
  writerOf({
    ...{ publicUrl: 'https://mail.app.co.uk', secretKeys: ['a secret of some length or other'] },
    ...{ mailing: { ...mailing, ...part }, dkim: null, bounceDomain: null },
  });

it('writes a sender beyond ASCII so that any mail server takes it', () => {
  const writer = writerFor({});
  const message = writer.write(send, new Date());
  expect(message).toMatchObject({ returnPath: 'news@xn--bcher-kva.co.uk', needsSmtpUtf8: false });
  expect(message?.raw.toString('latin1')).toMatch(/^Message-ID: <[\w.-]+@xn--bcher-kva\.co\.uk>\r$/m);
});

it('knows the domain of a sender as the DNS does', () => {
  expect(domainOf('news@BÜCHER.co.uk')).toBe('xn--bcher-kva.co.uk');
  expect(domainOf('news@Shop.co.uk')).toBe('shop.co.uk');
});

describe('the way to leave', () => {
  const link = '<a href="{{ unsubscribe_link }}">Stop</a>';
  const page = (html: string, part: Partial<MailingRow> = {}, own: Partial<DueSend> = {}) =>
    writerFor({ html: `<body>${html}</body>`, ...part }).page({ ...send, ...own }, new Date());
  const leaves = /<a href="https:\/\/mail\.app\.co\.uk\/u\/[\w-]+">Stop<\/a>/;
  const added =
    /<p [^>]*><a href="https:\/\/mail\.app\.co\.uk\/u\/[\w-]+"[^>]*>Unsubscribe<\/a><\/p><\/body>/;

  it.each([
    ['in a comment of Liquid', `{% comment %}${link}{% endcomment %}x`],
    ['in a comment of HTML', `<!-- a --><!-- ${link} -->x`],
    ['where a comment names the end', `x</body><!-- </body>${link} -->`],
    ['for Outlook alone', `<!--[if mso]>${link}<![endif]-->x`],
    ['for others alone', `{% if city == "Leeds" %}${link}{% endif %}x`],
    ['nowhere', 'x'],
  ])('is put at the end of a message that has it %s', (_, html) => {
    expect(page(html)).toMatch(added);
    expect(page(html, { kind: 'test' })).toMatch(added);
    expect(page(html, { kind: 'transactional' })).not.toMatch(added);
  });

  it('is put before a comment that is not closed', () => {
    expect(page(`x<!-- ${link}`).split('<!--')[0]).toMatch(/^<body>x<p .*>Unsubscribe<\/a><\/p>$/);
  });

  it.each([
    ['as it is', link],
    ['beside comments', `<!-- ${link} --><!--[if mso]>x<![endif]-->${link}<!-- y -->`],
    ['for all but Outlook', `<!--[if !mso]><!-->${link}<!--<![endif]-->`],
    ['under a condition that holds', `{% if city == "Leeds" %}${link}{% endif %}x`],
  ])('is not doubled in a message that has it %s', (_, html) => {
    const filled = page(html, {}, { attributes: { city: 'Leeds' } });
    expect(filled).toMatch(leaves);
    expect(filled).not.toMatch(added);
  });

  it('stands in the text part too, if there is one', () => {
    const textOf = (text: string) =>
      writerFor({ text, html: link }).write(send, new Date())?.raw.toString('latin1').split('text/html')[0];
    expect(textOf('Hello')).toMatch(/Hello\r\n\r\nUnsubscribe: https:\/\/mail\.app\.co\.uk\/u\//);
    expect(textOf('{{ unsubscribe_link }}')).not.toContain('\nUnsubscribe:');
    expect(textOf('')).not.toContain('\nUnsubscribe:');
  });

  it('is looked for quickly in any message', () => {
    const html = '<!-- {{ unsubscribe_link }} -->'.repeat(4_000) + '<!-- '.repeat(50_000);
    const before = process.cpuUsage();
    expect(page(`x${html}`).includes('Unsubscribe</a>')).toBe(true);
    expect(page(`${'<!---->'.repeat(50_000)}${link}`).includes('Unsubscribe</a>')).toBe(false);
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1e6).toBeLessThan(2);
  });
});
