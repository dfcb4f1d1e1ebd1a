import { QueryObserver } from '@tanstack/react-query';
import { expect, it } from 'vitest';
import { createQueryClient } from '#platform/web/query-client.ts';
import { checkCampaign, getCampaign } from '../contract.ts';
import { refreshCampaigns } from './refresh-campaigns.ts';

it('reads again what is shown, and once what is opened meanwhile', async () => {
  const client = createQueryClient({ onSignedOut: () => {}, onTwoFactorRequired: () => {} });
  const asked: string[] = [];
  const show = ({ path }: { path: string }) => {
    const queryFn = async () => asked.push(path);
    const options = { queryKey: [path, 7], queryFn, refetchOnMount: 'always' as const };
    return new QueryObserver<number>(client, options).subscribe(() => {});
  };
  const closeCampaign = show(getCampaign);
  const closeCheck = show(checkCampaign);
  await expect.poll(() => client.isFetching()).toBe(0);
  closeCheck();
  asked.length = 0;
  const refreshed = refreshCampaigns(client);
  const closeAgain = show(checkCampaign);
  await refreshed;
  await expect.poll(() => client.isFetching()).toBe(0);
  expect(asked).toEqual([getCampaign.path, checkCampaign.path]);
  for (const close of [closeCampaign, closeAgain]) close();
  client.clear();
});
