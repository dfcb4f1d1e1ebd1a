import { describe, expect, it } from 'vitest';
import { renderDocument } from '#features/templates/rules/document/render.ts';
import { preheaderFilling } from '#features/templates/rules/preheader.ts';
import { presets } from '#features/templates/rules/presets/index.ts';
import { wholeEmail } from './layout.ts';
import { spamHabits } from './spam-habits.ts';

const prose = 'Our winter range is here, and we would like to show you what is in it. '.repeat(6);
const image = '<img src="https://acme.co.uk/a.png" alt="A">';
const link = (href: string, words: string) => `<p>${prose}<a href="${href}">${words}</a></p>`;
const rulesIn = (subject: string, html: string) =>
  spamHabits({ subject, html: wholeEmail(html, 'simple') }).map(({ rule }) => rule);

describe('habits of spam', () => {
  it.each([
    ['shouting', 'OPEN THIS MESSAGE', prose],
    ['shouting', 'Open this!!!', prose],
    ['false_reply', 'Re: your order', prose],
    ['false_reply', 'FWD: news', prose],
    ['pressing_subject', 'Act now, {{ first_name }}', prose],
    ['pressing_words', 'News', `${prose} This offer is 100% free.`],
    ['link_shortener', 'News', link('https://bit.ly/3xYz', 'See')],
    ['other_target', 'News', link('https://evil.example.net/x', 'www.acme.co.uk')],
    ['other_target', 'News', link('https://acme.com', 'https://acme.co.uk/sale')],
    ['ip_link', 'News', link('http://192.0.2.7/offer', 'See')],
    ['image_only', 'News', image],
    ['little_text', 'News', `${image.repeat(4)}<p>${prose}</p>`],
    ['hidden_text', 'News', `<p>${prose}</p><div style="display:none">${prose}${prose}</div>`],
    ['hidden_text', 'News', `<p>${prose}</p><span style="font-size:0">${prose}${prose}</span>`],
    ['huge_html', 'News', `<p style="${'color:red;'.repeat(30_000)}">${prose}</p>`],
  ])('%s is found in “%s”', (rule, subject, html) => {
    expect(rulesIn(subject, html)).toEqual([rule]);
  });

  it.each([
    ['What is new this winter', `<p>${prose}</p>${image}`],
    ['Your order, {{ first_name | default: "FRIEND OF OURS" }}', prose],
    ['Ready: your report', prose],
    ['News', link('https://shop.acme.co.uk/x', 'acme.co.uk')],
    ['News', link('https://acme.co.uk/guide', 'guide.pdf')],
    ['News', link('https://acme.co.uk/{{ source }}', 'Read on')],
    ['News', link('{{ preferences_link }}', 'acme.co.uk')],
    ['News', `<div style="display:none">A line for the inbox</div><p>${prose}</p>`],
    ['News', `<div style="display:none">${'letter'.repeat(66)}</div><p>${prose}</p>`],
    ['News', `<div style="display:none">A line${preheaderFilling.repeat(3)}</div><p>${prose}</p>`],
    ['News', `<p>${prose}</p><img src="https://acme.co.uk/o.gif" width="1" height="1">`],
  ])('are none of “%s”', (subject, html) => {
    expect(rulesIn(subject, html)).toEqual([]);
  });

  it.each(presets.map((one) => [one.name, one] as const))(
    'are none of the preset “%s”',
    async (_, preset) => {
      expect(spamHabits({ subject: 'News', html: await renderDocument(preset.document) })).toEqual([]);
    },
  );

  it('each say why filters mind, and what was found', () => {
    const [habit] = spamHabits({ subject: 'News', html: link('https://evil.example.net/x', 'acme.co.uk') });
    expect(habit?.words).toBe(
      'A link is called “acme.co.uk” and leads to “evil.example.net”. Phishing does that, and mail programs warn of it.',
    );
  });
});
