import { fontsOf } from '#features/templates/rules/document/fonts.ts';
import type { Brand } from '#features/templates/rules/document/schema.ts';
import { colourOf, contrastOf } from '#features/templates/rules/html/contrast.ts';

/** What everybody can read, in WCAG 2.2. */
const readable = 4.5;

/** The style sheet of pages in a brand, without colours of it that nobody could read. */
export function stylesOf(brand: Brand): string {
  const light = {
    ground: brand.background ?? '#f4f4f5',
    paper: brand.paper ?? '#ffffff',
  };
  const button = brand.button ?? '#1d4ed8';
  const text = readableOn(light.paper, brand.text, '#27272a', '#fafafa');
  const link = readableOn(light.paper, brand.link, '#1d4ed8', '#93c5fd');
  const corner = `${brand.corner ?? 6}px`;
  const onButton = readableOn(button, brand.buttonText, '#ffffff', '#000000');
  const soft = readableOn(light.ground, undefined, '#52525b', '#d4d4d8');
  return `
:root { color-scheme: light dark; --ground: ${light.ground}; --paper: ${light.paper}; --text: ${text};
  --link: ${link}; --soft: ${soft}; }
@media (prefers-color-scheme: dark) { :root { --ground: #0f1113; --paper: #1a1d20; --text: #e7eaec;
  --link: ${readableOn('#1a1d20', brand.link, '#93c5fd', '#ffffff')}; --soft: #a9b2b9; } }
* { box-sizing: border-box; }
body { margin: 0; padding: 24px 16px; background: var(--ground); color: var(--text);
  font: 16px/1.5 ${fontsOf(brand.font ?? 'Arial')}; }
main { max-width: 520px; margin: 0 auto; padding: 24px; background: var(--paper); border-radius: ${corner}; }
h1 { margin: 0 0 12px; font-size: 24px; line-height: 1.25; }
h2 { margin: 28px 0 8px; font-size: 18px; line-height: 1.3; }
p { margin: 0 0 16px; overflow-wrap: anywhere; }
a { color: var(--link); }
.name { font-weight: bold; }
.logo img { display: block; max-width: 200px; max-height: 80px; }
@media (prefers-color-scheme: dark) { .logo img { padding: 8px; background: #ffffff; border-radius: ${corner}; } }
form { margin: 0 0 16px; }
fieldset { margin: 0 0 16px; padding: 0; border: 0; }
legend { padding: 0; }
label.choice { display: flex; gap: 12px; align-items: flex-start; padding: 10px 0; }
label.choice input { flex: none; width: 20px; height: 20px; margin: 2px 0 0; accent-color: var(--link); }
label.choice small { display: block; color: inherit; }
label.field { display: block; margin-bottom: 4px; }
input[type=email] { width: 100%; min-height: 44px; margin-bottom: 12px; padding: 8px 12px; font: inherit;
  color: inherit; background: transparent; border: 1px solid currentcolor; border-radius: ${corner}; }
.row { display: flex; flex-wrap: wrap; gap: 8px; }
button { min-height: 44px; padding: 8px 20px; font: inherit; font-weight: bold; cursor: pointer; color: ${onButton};
  background: ${button}; border: 1px solid transparent; border-radius: ${corner}; }
button.quiet { color: var(--text); background: transparent; border-color: currentcolor; font-weight: normal; }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
.note { padding: 4px 0 4px 16px; border-left: 4px solid var(--link); }
footer { max-width: 520px; margin: 16px auto 0; padding: 0 24px; color: var(--soft); font-size: 14px; }
address { font-style: normal; }
`;
}

/** The first of these colours that can be read on the ground, or the last. */
function readableOn(ground: string, ...colours: (string | undefined)[]): string {
  const behind = colourOf(ground);
  const named = colours.filter((colour) => colour !== undefined);
  const found = named.find((colour) => {
    const front = colourOf(colour);
    return behind && front && contrastOf(front, behind) >= readable;
  });
  return found ?? named.at(-1) ?? '#000000';
}
