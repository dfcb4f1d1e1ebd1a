import { domainIn } from '#features/addresses/rules/domain-in.ts';
import { type Actor, recordAudit } from '#features/audit/server/index.ts';
import { readSettings } from '#features/settings/server/index.ts';
import type { TenantTx } from '#platform/server/database.ts';
import { AppError } from '#platform/shared/errors.ts';
import { mostAddresses, type SenderAddress, type SenderDomain } from '../contract.ts';
import {
  type AddressRow,
  insertAddress,
  lockAddress,
  removeAddress,
  selectAddresses,
  updateAddress,
} from './address-queries.ts';
import type { SendersContext } from './context.ts';
import { domainsFor } from './domains-for.ts';
import { listAll } from './present.ts';

type Written = Omit<AddressRow, 'id'>;
type PlaceContext = Pick<SendersContext, 'placeFor' | 'complaints'>;

/** The senders of a workspace. The default one is first, if the settings have one. */
export async function listAddresses(
  context: PlaceContext,
  tx: TenantTx,
  workspaceId: number,
): Promise<SenderAddress[]> {
  const { sender } = await readSettings(tx, workspaceId);
  const rows = await selectAddresses(tx, workspaceId);
  const domains = await listAll(context, tx, workspaceId);
  const { fromName, company, fromAddress, replyTo } = sender;
  const preset = { id: null, name: fromName || company, address: fromAddress, replyTo };
  return [...(fromAddress === '' ? [] : [preset]), ...rows].map((row) => present(row, domains));
}

/** Adds a sender address. */
export async function addAddress(
  context: PlaceContext,
  tx: TenantTx,
  { workspaceId, email }: Actor,
  written: Written,
): Promise<SenderAddress> {
  if ((await selectAddresses(tx, workspaceId)).length >= mostAddresses)
    throw new AppError(
      'conflict',
      `A workspace has at most ${mostAddresses} sender addresses. Remove one first.`,
    );
  const row = await insertAddress(tx, workspaceId, { ...written, createdBy: email });
  if (!row) throw alreadyThere(written);
  await record(tx, { workspaceId, email }, 'added', row);
  return present(row, await listAll(context, tx, workspaceId));
}

/** Changes a sender address. Fields that are not given stay as they are. */
export async function changeAddress(
  context: PlaceContext,
  tx: TenantTx,
  { workspaceId, email }: Actor,
  id: number,
  change: { [Name in keyof Written]?: Written[Name] | undefined },
): Promise<SenderAddress> {
  const before = await needAddress(tx, workspaceId, id);
  const row: AddressRow = {
    id,
    name: change.name ?? before.name,
    address: change.address ?? before.address,
    replyTo: change.replyTo ?? before.replyTo,
  };
  if (!(await updateAddress(tx, workspaceId, row))) throw alreadyThere(row);
  await record(tx, { workspaceId, email }, 'changed', row);
  return present(row, await listAll(context, tx, workspaceId));
}

/** Removes a sender address. */
export async function deleteAddress(tx: TenantTx, { workspaceId, email }: Actor, id: number): Promise<void> {
  const row = await needAddress(tx, workspaceId, id);
  await removeAddress(tx, workspaceId, id);
  await record(tx, { workspaceId, email }, 'removed', row);
}

async function needAddress(tx: TenantTx, workspaceId: number, id: number): Promise<AddressRow> {
  const row = await lockAddress(tx, workspaceId, id);
  if (!row) throw new AppError('not_found', 'This sender address is not there any more. Reload the page.');
  return row;
}

function alreadyThere({ name, address }: Written): AppError {
  const words = `${address} is there already under the name ${name}.`;
  return new AppError('already_exists', words, { fields: { address: words } });
}

const record = (
  tx: TenantTx,
  { workspaceId, email }: Actor,
  verb: 'added' | 'changed' | 'removed',
  { id, name, address }: AddressRow,
) =>
  recordAudit(tx, workspaceId, {
    actor: email,
    action: `sender_address.${verb}`,
    subject: `sender_address:${id}`,
    details: { name: `${name} <${address}>` },
  });

/** A sender as callers see it, with the nearest sender domain: the one whose key signs. */
function present(
  { id, name, address, replyTo }: Written & { id: number | null },
  domains: readonly SenderDomain[],
): SenderAddress {
  const own = domainIn(address);
  const found = domainsFor(own)
    .map((one) => domains.find(({ domain }) => domain === one))
    .find((one) => one !== undefined);
  return {
    ...{ id, name, address, replyTo },
    domain: found
      ? { id: found.id, name: found.domain, state: found.state }
      : { id: null, name: own, state: 'none' },
  };
}
