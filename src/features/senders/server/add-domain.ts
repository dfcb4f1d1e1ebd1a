import { writtenDomain } from '#features/addresses/rules/written-domain.ts';
import { idna } from '#features/addresses/server/index.ts';
import { type Actor, recordAudit } from '#features/audit/server/index.ts';
import type { TenantTx } from '#platform/server/database.ts';
import type { Sealer } from '#platform/server/sealed.ts';
import { AppError } from '#platform/shared/errors.ts';
import { mostDomains } from '../contract.ts';
import { type MadeKey, sealKey } from './make-key.ts';
import { insertDomain, insertKey, selectDomains } from './queries.ts';

/** The domain that was written, in ASCII. Throws `invalid_input` for what is none. */
export function readDomain(text: string): string {
  const domain = writtenDomain(text, idna);
  if (domain !== null) return domain;
  const words = 'Write a domain that you have registered, such as acme.co.uk.';
  throw new AppError('invalid_input', words, { fields: { domain: words } });
}

/** Adds a sender domain with its first key, and answers its id. */
export async function addDomain(
  tx: TenantTx,
  { workspaceId, email }: Actor,
  domain: string,
  { sealer, made }: { sealer: Sealer; made: MadeKey },
): Promise<number> {
  if ((await selectDomains(tx, workspaceId)).length >= mostDomains)
    throw new AppError(
      'conflict',
      `A workspace has at most ${mostDomains} sender domains. Remove one first.`,
    );
  const id = await insertDomain(tx, workspaceId, { domain, createdBy: email });
  if (id === undefined) {
    const words = `${domain} is one of your sender domains already.`;
    throw new AppError('already_exists', words, { fields: { domain: words } });
  }
  const selector = 'em1';
  const sealedKey = sealKey(sealer, { workspaceId, domain, selector }, made);
  await insertKey(tx, workspaceId, { domainId: id, selector, publicKey: made.publicKey, sealedKey });
  await recordAudit(tx, workspaceId, {
    actor: email,
    action: 'sender_domain.added',
    subject: `sender_domain:${id}`,
    details: { name: domain },
  });
  return id;
}
