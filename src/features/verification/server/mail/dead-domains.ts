import { type DeadDomain, deadBy } from '#features/addresses/rules.ts';
import type { MailServers } from './mail-servers.ts';

type Asked = Pick<MailServers, 'findAll'>;

/**
 * The domains that no mail can be sent to, and why. An answer that is missing or arrives after
 * `signal` counts against no domain. For all incoming data that is checked, whole files as well as
 * single addresses.
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

/** Somebody waits for this answer and should not have to wait for slow name servers. */
const patienceMs = 4_000;

/** Why no mail can be sent to the domain. Null when it can be, or when no answer comes in time. */
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
