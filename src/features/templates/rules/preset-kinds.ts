/** For whom a preset was written. */
export const presetKinds = ['everybody', 'shop', 'charity', 'school', 'venue', 'business'] as const;
export type PresetKind = (typeof presetKinds)[number];
