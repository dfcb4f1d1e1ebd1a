import type { Look } from './look.ts';
import { escaped } from './sample.ts';
import { type Block, wholeDocument } from './whole-document.ts';

export type { Look } from './look.ts';

export const sans = 'Helvetica';
export const serif = 'Georgia';
const white = '#ffffff';

/** Parts of presets are blocks without ids: they get theirs in the whole document. */
export type Part = readonly Block[];

const coloured = (words: string, colour: string, size?: number): string =>
  `<span style="color:${colour}${size ? `;font-size:${size}px` : ''}">${words}</span>`;
const title = (level: 1 | 2 | 3, text: string, more: object = {}): Block => ({
  ...{ type: 'heading', level, html: escaped(text), ...more },
});
const text = (html: string, more: object = {}): Block => ({ type: 'text', html, ...more });
const paragraph = (words: string): string => `<p>${escaped(words)}</p>`;
const pressable = (label: string, href: string, more: object = {}): Block => ({
  ...{ type: 'button', label, href, align: 'left', ...more },
});
const edge = { sides: 40 };
/** On a ground, with room around. */
const panel = (ground: object, blocks: Block[], space: object, more: object = {}): Block => ({
  ...{ type: 'columns', columns: [blocks], ground, space, ...more },
});

/** The name of who writes, on the strong colour or on white. */
export const head = ({ accent }: Look, tone: 'strong' | 'plain' = 'strong'): Part => [
  title(3, '{{ company_name }}', {
    ground: tone === 'strong' ? { colour: accent, text: white } : { colour: white, text: accent },
    space: { above: 22, below: 22, ...edge },
  }),
];

/** What it is about: a line above, the heading, a sentence, and perhaps the button. */
export function hero(
  { accent, tint }: Look,
  given: {
    above?: string;
    heading: string;
    text?: string;
    button?: [string, string];
    tone?: 'strong' | 'tint';
  },
): Part {
  const { above, heading: about, text: sentence, button: press, tone = 'tint' } = given;
  const isStrong = tone === 'strong';
  const small = (words: string) => (isStrong ? coloured(words, white, 13) : coloured(words, accent, 13));
  const space = { above: 0, below: 10 };
  return [
    panel(
      isStrong ? { colour: accent, text: white } : { colour: tint },
      [
        ...(above ? [text(`<p><b>${small(escaped(above))}</b></p>`, { space })] : []),
        title(1, about, { space }),
        ...(sentence ? [text(paragraph(sentence), { space })] : []),
        ...(press
          ? [
              pressable(...press, {
                ...(isStrong && { background: white, colour: accent }),
                space: { above: 10, below: 0 },
              }),
            ]
          : []),
      ],
      { above: 40, below: 36, sides: 15 },
    ),
  ];
}

/** A heading of a part. */
export const heading = (_look: Look, words: string): Part => [
  title(2, words, { space: { above: 32, below: 8, ...edge } }),
];

/** Paragraphs. */
export const paragraphs = (_look: Look, ...all: string[]): Part =>
  all.map((words, at) => text(paragraph(words), { space: { above: at === 0 ? 24 : 6, below: 8, ...edge } }));

export const button = (_look: Look, label: string, href: string): Part => [
  pressable(label, href, { space: { above: 18, below: 12, ...edge } }),
];

/** A small line under something. */
export const aside = ({ dim }: Look, words: string): Part => [
  text(`<p>${coloured(escaped(words), dim, 13)}</p>`, { space: { above: 12, below: 8, ...edge } }),
];

type Thing = { title: string; text: string; note?: string };

/** Two things beside each other, below each other on a phone. */
export const pair = ({ tint, accent }: Look, ...both: [one: Thing, other: Thing]): Part => [
  {
    type: 'columns',
    ground: { colour: tint },
    space: { above: 20, below: 16, sides: 15 },
    columns: both.map(({ title: name, text: words, note }) => [
      title(3, name, { space: { above: 8, below: 2 } }),
      text(paragraph(words), { space: { above: 0, below: note ? 2 : 8 } }),
      ...(note
        ? [text(`<p><b>${coloured(escaped(note), accent)}</b></p>`, { space: { above: 0, below: 8 } })]
        : []),
    ]),
  },
];

/** Lines with something short at the left: dates, numbers, prices. */
export const lines = ({ accent, dim }: Look, ...all: [mark: string, name: string, words: string][]): Part =>
  all.flatMap(([mark, name, words], at) => {
    const space = { above: 12, below: 12, sides: 10 };
    const line: Block = {
      type: 'columns',
      shares: [2, 5],
      stacks: false,
      space: { sides: 30, ...(at === 0 && { above: 8 }) },
      columns: [
        [text(`<p><b>${coloured(escaped(mark), accent)}</b></p>`, { space })],
        [text(`<p><b>${escaped(name)}</b><br>${coloured(escaped(words), dim)}</p>`, { space })],
      ],
    };
    const rule: Block = { type: 'divider', colour: '#dddddd', space: { above: 0, below: 0, ...edge } };
    return at < all.length - 1 ? [line, rule] : [line];
  });

/** Somebody's words. */
export const quote = ({ dim }: Look, words: string, who: string): Part => [
  title(3, `“${words}”`, { space: { above: 32, below: 4, ...edge } }),
  text(`<p>${coloured(escaped(who), dim, 14)}</p>`, { space: { above: 0, below: 12, ...edge } }),
];

/** Something to remember: a code, a date, a sum. */
export const ticket = ({ tint, accent, dim }: Look, label: string, value: string, note: string): Part => [
  { type: 'spacer', height: 28 },
  panel(
    { colour: tint },
    [
      text(`<p>${coloured(escaped(label), dim, 14)}</p>`, { align: 'center', space: { above: 0, below: 4 } }),
      title(1, value, {
        align: 'center',
        html: coloured(escaped(value), accent),
        space: { above: 0, below: 4 },
      }),
      text(`<p>${coloured(escaped(note), dim, 14)}</p>`, { align: 'center', space: { above: 0, below: 0 } }),
    ],
    { above: 24, below: 24, sides: 15 },
  ),
];

/** Who writes, from where, and how to stop it: the law asks for all three. */
const footer = ({ ground, dim }: Look, why: string): Part => [
  { type: 'spacer', height: 32 },
  {
    type: 'footer',
    html: `${escaped(why)}<br><a href="{{ view_in_browser_link }}">Open in the browser</a><br>`,
    preferences: 'Choose what you get',
    ground: { colour: ground, text: dim, isWide: true },
    space: { above: 24, below: 32, ...edge },
  },
];

export interface Email {
  look: Look;
  /** What stands beside the subject. */
  preheader: string;
  /** Why somebody gets it. */
  why: string;
  blocks: readonly Part[];
}

/** A whole email as the visual editor opens it. */
export const email = (title: string, { look, preheader, why, blocks }: Email) =>
  wholeDocument({ title, preheader }, look, [...blocks.flat(), ...footer(look, why)]);
