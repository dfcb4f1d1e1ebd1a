import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { compileTemplate, fill } from './compile.ts';
import { cleanHtml } from './html/clean.ts';
import { textFromHtml } from './html/text.ts';
import { fromMailchimp, isFromMailchimp } from './mailchimp.ts';

const turned = (source: string): string => fromMailchimp(source).source;

describe('a merge tag of Mailchimp', () => {
  it.each([
    ['*|FNAME|*', '{{ first_name }}'],
    ['*|fname|*', '{{ first_name }}'],
    ['*|TITLE:LNAME|*', '{{ last_name | capitalize }}'],
    ['*|UPPER:CITY|*', '{{ city | upcase }}'],
    ['*|MMERGE5|*', '{{ mmerge5 }}'],
    ['<a href="*|UNSUB|*">', '<a href="{{ unsubscribe_link }}">'],
    ['<a href="http://*|ARCHIVE|*">', '<a href="{{ view_in_browser_link }}">'],
    ['<a href="https://a.example/?e=*%7CEMAIL%7C*">', '<a href="https://a.example/?e={{ email }}">'],
    ['*|LIST:COMPANY|*, *|HTML:LIST_ADDRESS_HTML|*', '{{ company_name }}, {{ company_address }}'],
    ['*|CURRENT_YEAR|*', '{{ "now" | date: "%Y" }}'],
    ['*|DATE:d/m/y|*', '{{ "now" | date: "%d/%m/%y" }}'],
    ['*|MC:SUBJECT|*', '{{ subject }}'],
    ['*|IF:FNAME|*a*|ELSE:|*b*|END:IF|*', '{% if first_name != blank %}a{% else %}b{% endif %}'],
    ['*|IFNOT:CITY|*a*|END:IF|*', '{% if city == blank %}a{% endif %}'],
    [
      '*|IF:CITY=York|*a*|ELSEIF:CITY=Leeds|*b*|END:IF|*',
      '{% if city == "York" %}a{% elsif city == "Leeds" %}b{% endif %}',
    ],
    ['*|IF:POINTS >= 100|*a*|END:IF|*', '{% if points >= 100 %}a{% endif %}'],
    [
      '<!--*|IF:MC_PREVIEW_TEXT|*-->*|MC_PREVIEW_TEXT|*<!--*|END:IF|*-->',
      '{% if preheader != blank %}{{ preheader }}{% endif %}',
    ],
  ])('%s', (source, expected) => {
    expect(fromMailchimp(source)).toMatchObject({ source: expected, left: [] });
  });

  it.each([
    ['\n*|RSSITEM:TITLE|*', 2, 'Feeds are not read into mails.'],
    ['*|FACEBOOK:LIKE|*', 1, 'Sharing is written as an ordinary link.'],
    ['*|INTERESTED:News:Weekly|*', 1, 'This has no equal here.'],
    ['*|LIST:DESCRIPTION|*', 1, 'This has no equal here.'],
    ['*|END:IF|*', 1, 'No condition begins before it.'],
    ['*|IF:|*', 1, 'This condition cannot be read.'],
    ['*|A tag of ours|*', 1, 'This is not known here.'],
  ])('%s stays and is listed', (source, line, words) => {
    expect(fromMailchimp(source)).toEqual({
      source,
      turned: 0,
      fields: [],
      left: [{ tag: source.trim(), line, words }],
    });
  });

  it.each([
    [
      'a block without equal within a condition',
      '*|IF:CITY|*a*|INTERESTED:News|*b*|ELSE:|*c*|END:INTERESTED|*d*|END:IF|*',
      '{% if city != blank %}a*|INTERESTED:News|*b*|ELSE:|*c*|END:INTERESTED|*d{% endif %}',
      ['*|INTERESTED:News|*', '*|ELSE:|*', '*|END:INTERESTED|*'],
    ],
    [
      'a block that nothing ends, within a condition',
      '*|IF:CITY|**|POLL:x|*a*|END:IF|*',
      '{% if city != blank %}*|POLL:x|*a{% endif %}',
      ['*|POLL:x|*'],
    ],
    [
      'a condition that cannot be read, within another',
      '*|IF:CITY|**|IF:|*a*|END:IF|*b*|END:IF|*',
      '{% if city != blank %}*|IF:|*a*|END:IF|*b{% endif %}',
      ['*|IF:|*', '*|END:IF|*'],
    ],
    [
      'a condition that nothing ends, with its branches',
      '*|FNAME|* *|IF:CITY|*a*|ELSEIF:COUNTY|*b*|ELSE:|*c',
      '{{ first_name }} *|IF:CITY|*a*|ELSEIF:COUNTY|*b*|ELSE:|*c',
      ['*|IF:CITY|*', '*|ELSEIF:COUNTY|*', '*|ELSE:|*'],
    ],
  ])('%s stays whole, and what is around it works', (_, source, expected, left) => {
    const turned = fromMailchimp(source);
    expect(turned.source).toBe(expected);
    expect(turned.left.map(({ tag }) => tag)).toEqual(left);
    const compiled = compileTemplate({ subject: '', preheader: '', html: '', text: turned.source });
    expect(compiled.problems).toEqual([]);
  });

  it('is named once with the field that it became, also where it is only asked about', () => {
    const source =
      '*|FNAME|* *|TITLE:FNAME|*\n*|IF:CITY=York|**|CURRENT_YEAR|**|ELSEIF:COUNTY|**|END:IF|*\n*|UNSUB|*';
    expect(fromMailchimp(source).fields).toEqual([
      { name: 'first_name', tag: '*|FNAME|*', line: 1 },
      { name: 'city', tag: '*|IF:CITY=York|*', line: 2 },
      { name: 'county', tag: '*|ELSEIF:COUNTY|*', line: 2 },
      { name: 'unsubscribe_link', tag: '*|UNSUB|*', line: 3 },
    ]);
  });

  it('cannot bring Liquid of its own along', () => {
    const { source } = fromMailchimp('*|IF:CITY=" %}{{ x }}{% if "|*a*|END:IF|*');
    expect(compileTemplate({ subject: '', preheader: '', html: '', text: source }).problems).toEqual([]);
    expect(source).not.toContain('{{');
  });

  it('is seen from afar', () => {
    expect(isFromMailchimp('<p>*|FNAME|*</p>')).toBe(true);
    expect(isFromMailchimp('2 *| 3 |* 4 {{ first_name }}')).toBe(false);
  });
});

/** From the exported file to the mail of one recipient, as an import does it. */
function imported(name: string) {
  const url = new URL(`../../../../test/fixtures/templates/mailchimp-${name}.html`, import.meta.url);
  const turned = fromMailchimp(readFileSync(url, 'utf8'));
  const clean = cleanHtml(turned.source);
  const text = textFromHtml(clean.html);
  const template = compileTemplate({
    subject: 'News for {{ first_name }}',
    preheader: 'Tea',
    html: clean.html,
    text,
  });
  const mail = fill(template, {
    first_name: 'ann',
    email: 'ann@example.org',
    city: 'York & Selby',
    points: '120',
    company_name: 'Tea Rooms Ltd',
    company_address: '1 High Street, Harrogate',
    unsubscribe_link: 'https://mail.example/u/1',
    preferences_link: 'https://mail.example/p/1',
    view_in_browser_link: 'https://mail.example/v/1',
    now: '2026-11-22T12:00:00Z',
  });
  return { turned, clean, template, mail };
}

describe('a template exported from Mailchimp', () => {
  it('newsletter: its tags work, and Outlook and phones keep theirs', () => {
    const { turned, clean, template, mail } = imported('newsletter');
    expect(template.problems).toEqual([]);
    expect(turned.left).toEqual([]);
    expect(clean.leftOut.map(({ what }) => what)).toEqual([
      'a script',
      'a Mailchimp editing mark',
      'an event handler',
    ]);
    expect(clean.fonts).toEqual(['https://fonts.googleapis.com/css?family=Lato:400,700']);
    expect(mail.html).not.toMatch(/\*\||\{[{%]|<script|onclick|mc:/);
    for (const part of [
      '<title>News for ann</title>',
      '<!--[if (gte mso 9)|(IE)]>\n<table align="center"',
      '@media only screen and (max-width:480px)',
      'mso-hide:all;">Tea</span>',
      'We post our tea to York &amp; Selby too.',
      'https://tea.example.co.uk/shop?c=York+%26+Selby',
      '<a href="https://mail.example/v/1" target="_blank">',
      '&copy; 2026 Tea Rooms Ltd',
    ])
      expect(mail.html).toContain(part);
    expect(mail.html.match(/>Tea</g)).toHaveLength(1);
    expect(mail.text).toBe(
      [
        'View this email in your browser (https://mail.example/v/1)',
        'Harrogate Tea Rooms',
        '',
        'Hello ann',
        '',
        'We post our tea to York & Selby too.',
        '',
        'Today is Sunday, 22 November 2026. Order tea (https://tea.example.co.uk/shop?c=York+%26+Selby)',
        '',
        'Copyright © 2026 Tea Rooms Ltd, All rights reserved.',
        'Our mailing address is:',
        '1 High Street, Harrogate',
        'You can update your preferences (https://mail.example/p/1) or unsubscribe from this list (https://mail.example/u/1).',
      ].join('\n'),
    );
  });

  it('shop: the button stays twice, once for Outlook, and what could not be turned is listed', () => {
    const { turned, clean, template, mail } = imported('shop');
    expect(template.problems).toEqual([]);
    expect(turned.left.map(({ tag }) => tag)).toEqual(['*|FACEBOOK:LIKE|*', '*|RSSITEM:TITLE|*']);
    expect(clean.leftOut.map(({ what }) => what)).toEqual([
      '@import',
      'a Mailchimp editing mark',
      'a form',
      'a field of a form',
      'a button of a form',
      'an event handler',
    ]);
    expect(mail.html).toMatch(
      /<v:roundrect [^>]*href="https:\/\/shop.example.co.uk\/sale\?e=ann@example.org"/,
    );
    expect(mail.html).toContain('<a href="https://shop.example.co.uk/sale?e=ann@example.org"');
    expect(mail.html).not.toMatch(/\{[{%]|<form|<input|onload|Collect points/);
    expect(mail.text).toContain('You have 120 points');
    expect(mail.text).toContain('Tea towels | £8\nMugs | £12');
  });

  it('letter: a condition within a sentence works for everybody', () => {
    const { template, mail } = imported('simple');
    expect(template.problems).toEqual([]);
    expect(mail.text).toMatch(/^Dear ann ,\n\nThank you/);
    expect(fill(template, {}).text).toMatch(/^Dear friend,\n/);
    expect(mail.text).toContain(' 1. Shelter for 40 families\n 2. Warm meals');
  });
});

it('unfinished tags take no time', () => {
  const before = process.cpuUsage();
  for (const piece of ['*|', '*|A', '<!-- *|', '*%7CA', '|*', 'http://*|']) turned(piece.repeat(50_000));
  const { user, system } = process.cpuUsage(before);
  expect((user + system) / 1e6).toBeLessThan(3);
});
