import type { QueryClient } from '@tanstack/react-query';
import { checkCampaign, getCampaign, getCampaigns, getReport, listRecipients } from '../contract.ts';

const calls = [getCampaigns, getCampaign, getReport, listRecipients, checkCampaign];

/**
 * Reads again whatever shows campaigns. Resolves when the screen is up to date. All of it is out of
 * date at once: a screen that opens meanwhile would otherwise ask, and be made to ask again.
 */
export async function refreshCampaigns(queryClient: QueryClient): Promise<void> {
  await Promise.all(calls.map(({ path }) => queryClient.invalidateQueries({ queryKey: [path] })));
}
