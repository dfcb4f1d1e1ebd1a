import { Counter, type Registry } from 'prom-client';
import type { KeepingLimit } from './keep-mail.ts';

/** Counts the mails that were taken and are not kept, in the product's metrics. */
export function countMailsIn(registry: Registry): (limit: KeepingLimit) => void {
  const notKept = new Counter({
    name: 'bounce_mails_not_kept_total',
    help: 'Mails that no rule understands and that are not kept for reading, by the limit reached',
    labelNames: ['limit'],
    registers: [registry],
  });
  return (limit) => notKept.inc({ limit });
}
