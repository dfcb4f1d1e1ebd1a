import type { TagSpec } from '@codemirror/lang-html';

const space = ['padding', 'css-class'];
const ground = ['background-color', 'border', 'border-radius'];
const type = ['font-family', 'font-size', 'font-weight', 'line-height', 'color', 'align'];
const column = ['mj-column', 'mj-group', 'mj-raw'];
const content = [
  'mj-text',
  'mj-image',
  'mj-button',
  'mj-divider',
  'mj-spacer',
  'mj-social',
  'mj-table',
  'mj-navbar',
  'mj-hero',
  'mj-accordion',
  'mj-carousel',
  'mj-raw',
];

const spec = (attributes: readonly string[], children?: readonly string[]): TagSpec => ({
  attrs: Object.fromEntries(attributes.map((name) => [name, null])),
  globalAttrs: false,
  ...(children ? { children } : {}),
});

/** What is offered when somebody writes MJML. What it may hold is decided by MJML itself. */
export const mjmlTags: Record<string, TagSpec> = {
  mjml: spec(['lang', 'dir'], ['mj-head', 'mj-body']),
  'mj-head': spec(
    [],
    ['mj-title', 'mj-preview', 'mj-attributes', 'mj-style', 'mj-font', 'mj-breakpoint', 'mj-raw'],
  ),
  'mj-title': spec([]),
  'mj-preview': spec([]),
  'mj-attributes': spec([], ['mj-all', 'mj-class', ...content, 'mj-section', 'mj-column']),
  'mj-all': spec([...type, ...space]),
  'mj-class': spec(['name', ...type, ...space]),
  'mj-style': spec(['inline']),
  'mj-font': spec(['name', 'href']),
  'mj-breakpoint': spec(['width']),
  'mj-body': spec(
    ['width', 'background-color', 'css-class'],
    ['mj-section', 'mj-wrapper', 'mj-hero', 'mj-raw'],
  ),
  'mj-wrapper': spec([...ground, ...space, 'full-width'], ['mj-section', 'mj-raw']),
  'mj-section': spec(
    [...ground, ...space, 'background-url', 'full-width', 'text-align', 'direction'],
    column,
  ),
  'mj-group': spec([...ground, ...space, 'width', 'vertical-align'], column),
  'mj-column': spec([...ground, ...space, 'width', 'vertical-align'], content),
  'mj-text': spec([...type, ...space]),
  'mj-image': spec([...space, 'src', 'alt', 'width', 'height', 'href', 'align', 'border-radius']),
  'mj-button': spec([...type, ...ground, ...space, 'href', 'width', 'inner-padding']),
  'mj-divider': spec([...space, 'border-color', 'border-width', 'border-style', 'width']),
  'mj-spacer': spec(['height']),
  'mj-table': spec([...type, ...space, 'width', 'cellpadding']),
  'mj-raw': spec([]),
  'mj-social': spec([...type, ...space, 'mode', 'icon-size'], ['mj-social-element']),
  'mj-social-element': spec(['name', 'href', 'src', 'alt', 'icon-size']),
  'mj-navbar': spec(['align', 'hamburger'], ['mj-navbar-link']),
  'mj-navbar-link': spec([...type, ...space, 'href']),
  'mj-hero': spec([...space, 'mode', 'height', 'background-url', 'background-color'], content),
  'mj-accordion': spec([...space, 'border'], ['mj-accordion-element']),
  'mj-accordion-element': spec([], ['mj-accordion-title', 'mj-accordion-text']),
  'mj-accordion-title': spec(type),
  'mj-accordion-text': spec(type),
  'mj-carousel': spec([...space, 'thumbnails'], ['mj-carousel-image']),
  'mj-carousel-image': spec(['src', 'alt', 'href']),
};
