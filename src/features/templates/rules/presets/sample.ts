import { sampleValues } from '../sample-data.ts';
import { escaped } from './blocks.ts';

/**
 * A preset with sample values, so that people see an email and no brackets. Presets use plain
 * fields alone, so the browser needs no reader of Liquid for them.
 */
export const withSamples = (content: string): string =>
  content.replaceAll(/\{\{\s*(\w+)[^}]*\}\}/g, (_, name: string) => escaped(sampleValues[name] ?? ''));
