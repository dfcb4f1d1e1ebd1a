import { expect, it } from 'vitest';
import { previewPage } from './preview-page.ts';

const own = '<style>@media (prefers-color-scheme: dark) { p { color: #eee; } }</style><p>Hello</p>';

it('turns the colours of an email round in the dark, and leaves its pictures as they are', () => {
  const page = previewPage('<p>Hello</p>', true);
  expect(page).toContain('body { filter: invert(0.9) hue-rotate(180deg); }');
  expect(page).toContain('img { filter: invert(1) hue-rotate(180deg); }');
  expect(previewPage('<p>Hello</p>')).not.toContain('invert');
});

it('shows the colours that an email has for the dark in the dark only, whatever the screen is', () => {
  expect(previewPage(own, true)).toContain('@media (min-width: 0) {');
  expect(previewPage(own, true)).not.toContain('invert');
  expect(previewPage(own)).toContain('@media (max-width: 0) {');
  expect(previewPage(own.replace('dark', 'light'))).toContain('@media (min-width: 0) {');
});
