import type { ContactFollower } from '#platform/server/feature.ts';
import type { VerdictKeeper } from './verdict-keeper.ts';

/** Who has to be told when contacts go to the bin and come back. */
export interface Companions {
  verdicts: VerdictKeeper;
  /** What other features know about contacts. Empty until all features are made. */
  followers(): readonly ContactFollower[];
}
