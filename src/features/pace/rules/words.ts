import type { PaceReason } from './grant.ts';

/** Why a campaign waits, for whoever looks at it. */
export const waitInWords: Record<PaceReason, string> = {
  quiet: 'Nothing leaves in the quiet hours that are set for this workspace. It goes on by itself.',
  day: 'As many messages have left today as the settings allow. It goes on tomorrow by itself.',
  warm_up: 'The domain it comes from is new and may send no more today. It goes on tomorrow by itself.',
  hour: 'It leaves at the pace that is set for this workspace.',
};
