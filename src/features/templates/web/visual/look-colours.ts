import type { TemplateDocument } from '../../rules/document/schema.ts';

/** The colours of an email's look, in the order of its panel. */
export const lookColours = [
  { name: 'background', label: 'Ground' },
  { name: 'paper', label: 'Paper' },
  { name: 'text', label: 'Text' },
  { name: 'link', label: 'Links' },
  { name: 'button', label: 'Buttons' },
  { name: 'buttonText', label: 'On buttons' },
] as const;

/** The colours of an email, offered wherever one is chosen. */
export const swatchesOf = (look: TemplateDocument['look']): string[] => [
  look.button,
  look.buttonText,
  look.text,
  look.link,
  look.paper,
  look.background,
];
