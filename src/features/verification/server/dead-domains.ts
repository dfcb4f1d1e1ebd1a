import { type DeadDomain, deadBy } from '#features/addresses/rules.ts';
import type { MailServers } from './mail-servers.ts';

type Asked = Pick<MailServers, 'findAll'>;

/**
 * Those of the domains that no mail can be sent to, and why. What could not be found out, or not
 * before `signal`, is held against none: for whatever comes in and is checked, whole files as well
 * as one address.
 */
export async function findDeadDomains(
  mailServers: Asked,
  domains: readonly string[],
  signal?: AbortSignal,
): Promise<{ domain: string; reason: DeadDomain }[]> {
  const found = await mailServers.findAll(domains, signal ? { signal } : {});
  return [...found].flatMap(([domain, { state }]) => {
    const reason = deadBy(state);
    return reason === null ? [] : [{ domain, reason }];
  });
}

/** Somebody waits for this answer, and is not kept waiting by name servers that are slow. */
const patienceMs = 4_000;

/** Why no mail can be sent to the domain; null when it can, and when nobody says so in time. */
export async function whyDead(mailServers: Asked, domain: string): Promise<DeadDomain | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never[]>((resolve) => {
    timer = setTimeout(resolve, patienceMs, []);
  });
  try {
    const [dead] = await Promise.race([findDeadDomains(mailServers, [domain]), late]);
    return dead?.reason ?? null;
  } finally {
    clearTimeout(timer);
  }
}
