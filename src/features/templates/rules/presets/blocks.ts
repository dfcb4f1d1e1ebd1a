/**
 * The blocks that presets are made of: tables and styles on the elements themselves, because
 * Outlook draws with Word and mail programs drop style sheets. Each block says the same as HTML and
 * as plain text.
 */
export interface Block {
  html: string;
  text: string;
}

/** The colours and letters of a preset. Text on each ground has a contrast of at least 4.5. */
export interface Look {
  /** Around the email. */
  ground: string;
  /** The one strong colour: the head, buttons, links. Carries white text. */
  accent: string;
  /** A pale ground for what stands apart. Carries ink, dim and accent text. */
  tint: string;
  ink: string;
  dim: string;
  /** The letters of headings. */
  headings: string;
}

export const sans = "'Helvetica Neue', Helvetica, Arial, sans-serif";
export const serif = "Georgia, 'Times New Roman', serif";
const white = '#ffffff';

export const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const letters = (size: number, line: number, colour: string, more = ''): string =>
  `font-family:${sans};font-size:${size}px;line-height:${line}px;color:${colour};${more}`;
const table = (attributes: string, style: string, rows: string): string =>
  `<table role="presentation" cellpadding="0" cellspacing="0" border="0" ${attributes} style="border-collapse:collapse;${style}">\n${rows}\n</table>`;
const row = (style: string, content: string, attributes = ''): string =>
  `<tr><td class="side"${attributes} style="${style}">${content}</td></tr>`;
const side = 'padding-left:40px;padding-right:40px;';

const title = (look: Look, level: 1 | 2 | 3, text: string, colour = look.ink, more = ''): string => {
  const [size, line] = { 1: [30, 38], 2: [21, 28], 3: [16, 24] }[level] as [number, number];
  return `<h${level} style="margin:0;font-family:${look.headings};font-size:${size}px;line-height:${line}px;font-weight:bold;color:${colour};${more}">${escaped(text)}</h${level}>`;
};
const words = (text: string, colour: string, more = ''): string =>
  `<p style="margin:0;${letters(16, 25, colour, more)}">${escaped(text)}</p>`;

/**
 * A link that looks like a button. Its ground is the cell's, which Outlook fills to the edges too.
 */
const pressable = ({ accent }: Look, label: string, href: string, isOnAccent = false): string => {
  const [ground, ink] = isOnAccent ? [white, accent] : [accent, white];
  return table(
    '',
    'border-collapse:separate;',
    `<tr><td align="center" bgcolor="${ground}" style="border-radius:5px;background-color:${ground};"><a href="${href}" style="display:inline-block;padding:13px 26px;${letters(16, 20, ink, 'font-weight:bold;text-decoration:none;')}">${escaped(label)}</a></td></tr>`,
  );
};

/** The name of who writes, on the strong colour or on white. */
export const head = ({ accent, headings }: Look, tone: 'strong' | 'plain' = 'strong'): Block => {
  const [ground, ink] = tone === 'strong' ? [accent, white] : [white, accent];
  return {
    html: row(
      `${side}padding-top:22px;padding-bottom:22px;background-color:${ground};border-bottom:1px solid ${accent};font-family:${headings};font-size:20px;line-height:26px;font-weight:bold;color:${ink};`,
      '{{company_name}}',
      ` bgcolor="${ground}"`,
    ),
    text: '{{company_name}}',
  };
};

/** What it is about: a line above, the heading, a sentence, and perhaps the button. */
export function hero(
  look: Look,
  given: {
    above?: string;
    heading: string;
    text?: string;
    button?: [string, string];
    tone?: 'strong' | 'tint';
  },
): Block {
  const { above, heading, text, button, tone = 'tint' } = given;
  const isStrong = tone === 'strong';
  const ground = isStrong ? look.accent : look.tint;
  const ink = isStrong ? white : look.ink;
  const small = letters(13, 18, isStrong ? white : look.accent, 'font-weight:bold;letter-spacing:1px;');
  return {
    html: row(
      `${side}padding-top:40px;padding-bottom:40px;background-color:${ground};`,
      [
        above && `<p style="margin:0 0 10px;${small}">${escaped(above)}</p>`,
        title(look, 1, heading, ink),
        text && words(text, ink, 'padding-top:12px;'),
        button && `<div style="padding-top:24px;">${pressable(look, ...button, isStrong)}</div>`,
      ]
        .filter(Boolean)
        .join('\n'),
      ` bgcolor="${ground}"`,
    ),
    text: [above, `${heading}\n${'='.repeat(heading.length)}`, text, button && asText(button)]
      .filter(Boolean)
      .join('\n\n'),
  };
}

const asText = ([label, href]: [string, string]): string => `${label}: ${href}`;

/** A heading of a part. */
export const heading = (look: Look, text: string): Block => ({
  html: row(`${side}padding-top:32px;`, title(look, 2, text)),
  text: `${text}\n${'-'.repeat(text.length)}`,
});

/** Paragraphs. */
export const paragraphs = (look: Look, ...all: string[]): Block => ({
  html: row(
    `${side}padding-top:16px;`,
    all.map((text, n) => words(text, look.ink, n === 0 ? '' : 'padding-top:14px;')).join('\n'),
  ),
  text: all.join('\n\n'),
});

export const button = (look: Look, label: string, href: string): Block => ({
  html: row(`${side}padding-top:24px;`, pressable(look, label, href)),
  text: asText([label, href]),
});

/** A small line under something. */
export const aside = (look: Look, text: string): Block => ({
  html: row(
    `${side}padding-top:16px;`,
    `<p style="margin:0;${letters(13, 20, look.dim)}">${escaped(text)}</p>`,
  ),
  text,
});

/** Two things beside each other, below each other on a phone. */
export function pair(
  look: Look,
  ...both: [
    one: { title: string; text: string; note?: string },
    other: { title: string; text: string; note?: string },
  ]
): Block {
  const cell = ({ title: name, text, note }: (typeof both)[number], n: number) =>
    `<td class="column" width="50%" valign="top" style="width:50%;padding-${n === 0 ? 'right' : 'left'}:8px;padding-top:16px;">${table(
      'width="100%"',
      'width:100%;',
      `<tr><td bgcolor="${look.tint}" style="padding:20px;background-color:${look.tint};">${title(look, 3, name)}
<p style="margin:0;padding-top:6px;${letters(15, 23, look.ink)}">${escaped(text)}</p>${
        note
          ? `\n<p style="margin:0;padding-top:8px;${letters(14, 20, look.accent, 'font-weight:bold;')}">${escaped(note)}</p>`
          : ''
      }</td></tr>`,
    )}</td>`;
  return {
    html: row(side, table('width="100%"', 'width:100%;', `<tr>${both.map(cell).join('\n')}</tr>`)),
    text: both
      .map(({ title: name, text, note }) => [name, text, note].filter(Boolean).join('\n'))
      .join('\n\n'),
  };
}

/** Lines with something short at the left: dates, numbers, prices. */
export const lines = (look: Look, ...all: [mark: string, name: string, text: string][]): Block => ({
  html: row(
    `${side}padding-top:16px;`,
    table(
      'width="100%"',
      'width:100%;',
      all
        .map(
          ([mark, name, text]) =>
            `<tr><td width="92" valign="top" style="width:92px;padding:14px 12px 14px 0;border-bottom:1px solid #dddddd;font-family:${look.headings};font-size:16px;line-height:24px;font-weight:bold;color:${look.accent};">${escaped(mark)}</td>
<td valign="top" style="padding:14px 0;border-bottom:1px solid #dddddd;">${title(look, 3, name)}
<p style="margin:0;padding-top:2px;${letters(15, 22, look.dim)}">${escaped(text)}</p></td></tr>`,
        )
        .join('\n'),
    ),
  ),
  text: all.map(([mark, name, text]) => `${mark} - ${name}\n${text}`).join('\n\n'),
});

/** Somebody's words. */
export const quote = (look: Look, text: string, who: string): Block => ({
  html: row(
    `${side}padding-top:28px;`,
    table(
      'width="100%"',
      'width:100%;',
      `<tr><td style="padding:4px 0 4px 20px;border-left:4px solid ${look.accent};"><p style="margin:0;font-family:${look.headings};font-size:19px;line-height:29px;color:${look.ink};">“${escaped(text)}”</p>
<p style="margin:0;padding-top:8px;${letters(14, 20, look.dim)}">${escaped(who)}</p></td></tr>`,
    ),
  ),
  text: `“${text}”\n${who}`,
});

/** Something to remember: a code, a date, a sum. */
export const ticket = (look: Look, label: string, value: string, note: string): Block => ({
  html: row(
    `${side}padding-top:28px;`,
    table(
      'width="100%"',
      'width:100%;',
      `<tr><td align="center" bgcolor="${look.tint}" style="padding:22px;border:2px dashed ${look.accent};background-color:${look.tint};"><p style="margin:0;${letters(14, 20, look.dim)}">${escaped(label)}</p>
<p style="margin:0;padding:4px 0;font-family:${look.headings};font-size:28px;line-height:36px;font-weight:bold;color:${look.accent};">${escaped(value)}</p>
<p style="margin:0;${letters(14, 20, look.dim)}">${escaped(note)}</p></td></tr>`,
    ),
  ),
  text: `${label}: ${value}\n${note}`,
});

/** Who writes, from where, and how to stop it: the law asks for all three. */
const footer = ({ ground, dim }: Look, why: string): Block => {
  const link = (href: string, label: string) =>
    `<a href="${href}" style="color:${dim};text-decoration:underline;">${label}</a>`;
  return {
    html: row(
      `${side}padding-top:24px;padding-bottom:32px;background-color:${ground};${letters(13, 20, dim)}`,
      `<p style="margin:0;">${escaped(why)}</p>
<p style="margin:0;padding-top:10px;">{{company_name}}<br>{{company_address}}</p>
<p style="margin:0;padding-top:10px;">${link('{{unsubscribe_link}}', 'Unsubscribe')} &nbsp;·&nbsp; ${link('{{preferences_link}}', 'Choose what you get')} &nbsp;·&nbsp; ${link('{{view_in_browser_link}}', 'Open in the browser')}</p>`,
      ` bgcolor="${ground}"`,
    ),
    text: [
      '--',
      why,
      '{{company_name}}\n{{company_address}}',
      'Unsubscribe: {{unsubscribe_link}}\nChoose what you get: {{preferences_link}}',
    ].join('\n\n'),
  };
};

export interface Email {
  look: Look;
  /** What mail programs show after the subject. */
  preview: string;
  /** Why somebody gets it. */
  why: string;
  blocks: readonly Block[];
}

/** A whole email of 600 pixels, as HTML and as text. */
export function email({ look, preview, why, blocks }: Email): { htmlContent: string; textContent: string } {
  const all = [...blocks, footer(look, why)];
  const body = [
    ...blocks.map(({ html }) => html),
    row('height:40px;font-size:1px;line-height:40px;', '&nbsp;'),
    all.at(-1)?.html,
  ].join('\n');
  return {
    htmlContent: `<!DOCTYPE html>
<html lang="en-GB">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light">
<title>{{subject}}</title>
<!--[if mso]><style>table { border-collapse: collapse; } td, p, a { font-family: Arial, sans-serif; }</style><![endif]-->
<style>
@media (max-width: 620px) {
  .side { padding-left: 20px !important; padding-right: 20px !important; }
  .column { display: block !important; width: auto !important; padding-left: 0 !important; padding-right: 0 !important; }
}
</style>
</head>
<body style="margin:0;padding:0;background-color:${look.ground};">
<div style="display:none;max-height:0;overflow:hidden;">${escaped(preview)}</div>
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" bgcolor="${look.ground}" style="width:100%;background-color:${look.ground};">
<tr><td align="center" style="padding:24px 0;">
<!--[if mso]><table role="presentation" width="600" cellpadding="0" cellspacing="0" border="0"><tr><td><![endif]-->
<table role="presentation" width="600" cellpadding="0" cellspacing="0" border="0" bgcolor="${white}" style="width:100%;max-width:600px;background-color:${white};">
${body}
</table>
<!--[if mso]></td></tr></table><![endif]-->
</td></tr>
</table>
</body>
</html>
`,
    textContent: `${all.map(({ text }) => text).join('\n\n')}\n`,
  };
}
