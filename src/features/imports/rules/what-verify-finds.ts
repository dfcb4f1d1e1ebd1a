/** What a verification looks for, with domains only where the settings let it look them up. */
export const whatVerifyFinds = (asksMailServers: boolean): string =>
  asksMailServers
    ? 'Verify looks for slips, throwaway addresses and domains that take no mail, and says why for each.'
    : 'Verify looks for slips and throwaway addresses, and says why for each.';
