import { parseArgs } from 'node:util';
import { Liquid } from 'liquidjs';
import mjml2html from 'mjml-browser';
import { compileTemplate, fill } from '#features/templates/rules/compile.ts';
import { renderMjml } from '#features/templates/rules/mjml/render.ts';
import { report } from './report.ts';

/**
 * Filling a template for each recipient, on one core: 4 kB of HTML and its text part, with ten
 * merge fields and three conditions. The yardstick is liquidjs rendering the whole template each
 * time from a template that it has parsed once, with its own escaping. What people often do,
 * parsing it for every recipient too, is printed beside it.
 */
const { values } = parseArgs({
  options: { fills: { type: 'string', default: '100000' }, rounds: { type: 'string', default: '5' } },
});
const fills = Number(values.fills);
const goal = { perSecond: 20_000, times: 5 };

const filler =
  '<tr><td style="padding:0 24px;font:16px/24px Arial,sans-serif;color:#334155">Lovely things.</td></tr>\n';
const html = `<!doctype html><html lang="en"><head><title>News</title></head><body>
<table role="presentation" width="600"><tr><td>
<p>Dear {{ first_name | default: "friend" }} {{ last_name }},</p>
{% if vip %}<p>As a {{ level }} member of {{ company_name }} you have {{ points }} points.</p>{% else %}<p>Join our club in {{ city }}.</p>{% endif %}
${filler.repeat(34)}
{% if birthday %}<p>Happy birthday on {{ birthday }}!</p>{% endif %}
{% unless city == blank %}<p>See you in {{ city }} soon, at <a href="https://shop.example/{{ store }}">our store</a>.</p>{% endunless %}
<p>{{ company_name }}, {{ company_address }}<br><a href="{{ unsubscribe_link }}">Unsubscribe</a></p>
</td></tr></table></body></html>`;
const text = `Dear {{ first_name | default: "friend" }} {{ last_name }},

{% if vip %}As a {{ level }} member of {{ company_name }} you have {{ points }} points.{% else %}Join our club in {{ city }}.{% endif %}
{% if birthday %}Happy birthday on {{ birthday }}!{% endif %}
{% unless city == blank %}See you in {{ city }} soon: https://shop.example/{{ store }}{% endunless %}

{{ company_name }}, {{ company_address }}
Unsubscribe: {{ unsubscribe_link }}`;

/** Recipients of every shape: some fields are missing, and some need escaping. */
const recipients = Array.from({ length: 1_000 }, (_, n) => ({
  first_name: n % 3 ? `Ann${n}` : null,
  last_name: n % 5 ? "O'Neill" : 'Smith & Sons',
  vip: n % 2 ? true : null,
  level: 'gold',
  points: n,
  birthday: n % 7 ? null : '22 November',
  city: n % 4 ? 'Leeds' : null,
  store: `store-${n}`,
  company_name: 'Marks & Daughters Ltd',
  company_address: '1 High Street, York YO1 1AA',
  unsubscribe_link: `https://mail.example/u/${n}`,
}));

/** Processor time, so that other programs on the machine do not count. */
function secondsOf(times: number, run: (recipient: (typeof recipients)[number]) => number): number {
  const before = process.cpuUsage();
  let length = 0;
  for (let n = 0; n < times; n++) length += run(recipients[n % recipients.length] as never);
  const { user, system } = process.cpuUsage(before);
  if (length === 0) throw new Error('Nothing was filled');
  return (user + system) / 1e6;
}

const template = compileTemplate({ subject: '', preheader: '', html, text });
const escaping = new Liquid({ ownPropertyOnly: true, outputEscape: 'escape' });
const plain = new Liquid({ ownPropertyOnly: true });
const parsed = { html: escaping.parse(html), text: plain.parse(text) };

/** The whole text is read once, as a sender does that writes it out. */
const sizeOf = (...parts: string[]): number => parts.reduce((sum, part) => sum + Buffer.byteLength(part), 0);
const ours = (recipient: object): number => {
  const filled = fill(template, recipient as Record<string, unknown>);
  return sizeOf(filled.html, filled.text);
};
const theirs = (recipient: object): number =>
  sizeOf(escaping.renderSync(parsed.html, recipient), plain.renderSync(parsed.text, recipient));
const theirsParsed = (recipient: object): number =>
  sizeOf(escaping.parseAndRenderSync(html, recipient), plain.parseAndRenderSync(text, recipient));

for (const recipient of recipients)
  if (ours(recipient) !== theirs(recipient)) throw new Error('Both must fill the same');

const median = (times: number[]): number => times.sort((one, other) => one - other)[times.length >> 1] ?? 0;
const rates = { ours: [] as number[], theirs: [] as number[], parsed: [] as number[] };
for (let round = 0; round < Number(values.rounds); round++) {
  rates.ours.push(fills / secondsOf(fills, ours));
  rates.theirs.push(fills / 10 / secondsOf(fills / 10, theirs));
  rates.parsed.push(fills / 50 / secondsOf(fills / 50, theirsParsed));
}
const [mine, library, parsing] = [median(rates.ours), median(rates.theirs), median(rates.parsed)];
const words = (rate: number): string => Math.round(rate).toLocaleString('en-GB');

report({
  promise: `Fill ${(Buffer.byteLength(html) / 1000).toFixed(1)} kB of HTML and its text, ten fields, three conditions`,
  figure: `${words(mine)} a second and core`,
  against: `${words(goal.perSecond)} a second`,
  ratio: goal.perSecond / mine,
});
report({
  promise: 'The same, beside liquidjs',
  figure: `${(mine / library).toFixed(1)} × liquidjs, parsed once (${words(library)} a second); ${(mine / parsing).toFixed(0)} × when it parses each time (${words(parsing)})`,
  against: `${goal.times} ×`,
  ratio: goal.times / (mine / library),
});

const section = (n: number) =>
  `<mj-section><mj-column><mj-image src="https://shop.example/${n}.png" alt="Thing ${n}" /></mj-column><mj-column><mj-text>Dear {{ first_name | default: "friend" }}, <b>thing ${n}</b> is here.</mj-text><mj-button href="https://shop.example/{{ store }}">Order</mj-button></mj-column></mj-section>`;
const mjml = `<mjml><mj-body>${Array.from({ length: 20 }, (_, n) => section(n)).join('\n')}</mj-body></mjml>`;

/** Milliseconds of processor time that each of so many takes, as the median of the rounds. */
async function millisecondsOf(times: number, run: () => Promise<unknown>): Promise<number> {
  const rounds: number[] = [];
  for (let round = 0; round <= Number(values.rounds); round++) {
    const before = process.cpuUsage();
    for (let n = 0; n < times; n++) await run();
    const { user, system } = process.cpuUsage(before);
    // The first round warms up.
    if (round > 0) rounds.push((user + system) / 1000 / times);
  }
  return median(rounds);
}

const [wholeMs, mjmlMs] = [
  await millisecondsOf(10, () => renderMjml(mjml)),
  await millisecondsOf(10, async () => mjml2html(mjml)),
];
report({
  promise: `Make the HTML of ${(mjml.length / 1000).toFixed(1)} kB of MJML: check, convert and clean it`,
  figure: `${wholeMs.toFixed(0)} ms of a processor`,
  against: `MJML alone (${mjmlMs.toFixed(0)} ms)`,
  ratio: wholeMs / mjmlMs,
});
