import { businessPresets } from './business.ts';
import { charityPresets } from './charity.ts';
import { generalPresets } from './general.ts';
import type { Preset } from './preset.ts';
import { schoolPresets } from './school.ts';
import { shopPresets } from './shop.ts';
import { venuePresets } from './venue.ts';

export type { Preset } from './preset.ts';

/** All presets: the three for everybody, then those for each kind of business. */
export const presets: readonly Preset[] = [
  ...generalPresets,
  ...shopPresets,
  ...charityPresets,
  ...schoolPresets,
  ...venuePresets,
  ...businessPresets,
];
