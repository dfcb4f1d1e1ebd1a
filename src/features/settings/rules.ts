import type { z } from 'zod';
import { type Settings, settings } from './contract.ts';

/**
 * The stored settings of a workspace: sections as an earlier or later version of the product wrote
 * them.
 */
export type StoredSettings = Partial<Record<keyof Settings, unknown>>;

/**
 * Makes complete settings from the stored ones. A field that is missing, or has a value this
 * version does not accept, gets its default. The other fields keep what was chosen.
 */
export function completeSettings(stored: StoredSettings): Settings {
  const complete: Record<string, Record<string, unknown>> = {};
  for (const [section, schema] of Object.entries(settings.shape)) {
    const given = stored[section as keyof Settings];
    const values = typeof given === 'object' && given !== null ? (given as Record<string, unknown>) : {};
    const kept: Record<string, unknown> = {};
    for (const [name, field] of Object.entries<z.ZodType>(schema.shape)) {
      const parsed = field.safeParse(values[name]);
      if (parsed.success) kept[name] = parsed.data;
    }
    complete[section] = kept;
  }
  return settings.parse(complete);
}

export interface SettingChange {
  from: unknown;
  to: unknown;
}

/** The fields of one section whose value differs. */
export function changedFields(
  before: Record<string, unknown>,
  after: Record<string, unknown>,
): Record<string, SettingChange> {
  const changed: Record<string, SettingChange> = {};
  for (const [name, to] of Object.entries(after)) {
    const from = before[name];
    if (JSON.stringify(from) !== JSON.stringify(to)) changed[name] = { from, to };
  }
  return changed;
}

/** The longest time a sender may take for a file, however long its import may take. */
const longestUploadSeconds = 3_600;

/** How many seconds a file may take to arrive, and what to do about one that takes longer. */
export function uploadLimit(
  { timeoutSeconds }: Settings['import'],
  noun: 'file' | 'list',
  longest = longestUploadSeconds,
): { seconds: number; advice: string } {
  // Above the longest time, other settings change nothing.
  return timeoutSeconds < longest
    ? { seconds: timeoutSeconds, advice: `allow more time in Settings or split the ${noun}` }
    : { seconds: longest, advice: `split the ${noun}` };
}
