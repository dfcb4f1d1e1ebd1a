import { sampleValues } from '../sample-data.ts';

// Screens need this and not the presets themselves.
export const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/**
 * A preset with sample values, so that people see an email and no brackets. Presets use plain
 * fields alone, so the browser needs no reader of Liquid for them.
 */
export const withSamples = (content: string): string =>
  content.replaceAll(/\{\{\s*(\w+)[^}]*\}\}/g, (_, name: string) => escaped(sampleValues[name] ?? ''));
