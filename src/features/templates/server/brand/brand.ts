import { isDeepStrictEqual } from 'node:util';
import { recordAudit } from '#features/audit/server/index.ts';
import { readSettings } from '#features/settings/server/index.ts';
import type { TenantTx } from '#platform/server/database.ts';
import type { KeptBrand } from '../../contract/brand.ts';
import type { Brand } from '../../rules/document/schema.ts';
import type { Writer } from '../writer.ts';
import { selectBrand, upsertBrand } from './queries.ts';

/** What documents take where they say nothing. */
export const readBrand = async (tx: TenantTx, workspaceId: number): Promise<Brand> =>
  (await selectBrand(tx, workspaceId))?.brand ?? {};

/** The brand, with what the settings say of the company. */
export async function showBrand(tx: TenantTx, workspaceId: number): Promise<KeptBrand> {
  const kept = await selectBrand(tx, workspaceId);
  const { sender } = await readSettings(tx, workspaceId);
  return {
    brand: kept?.brand ?? {},
    company: sender.company,
    postalAddress: sender.postalAddress,
    updatedAt: kept?.savedAt.toISOString() ?? null,
  };
}

/** Says how messages look. The same again leaves no trace. */
export async function changeBrand(
  tx: TenantTx,
  { workspaceId, userId, actor }: Writer,
  brand: Brand,
): Promise<KeptBrand> {
  const before = await readBrand(tx, workspaceId);
  const keys = [...new Set([...Object.keys(before), ...Object.keys(brand)])] as (keyof Brand)[];
  const changed = keys.filter((key) => !isDeepStrictEqual(before[key], brand[key]));
  if (changed.length > 0) {
    await upsertBrand(tx, workspaceId, brand, userId);
    await recordAudit(tx, workspaceId, {
      actor,
      action: 'template_brand.changed',
      subject: 'template_brand',
      details: { changedFields: changed.map((key) => fieldWords[key]) },
    });
  }
  return showBrand(tx, workspaceId);
}

const fieldWords: Record<keyof Brand, string> = {
  background: 'background',
  paper: 'paper',
  text: 'text',
  link: 'links',
  button: 'buttons',
  buttonText: 'text of buttons',
  font: 'font',
  corner: 'corners',
  width: 'width',
  logo: 'logo',
  logoAlt: 'what the logo shows',
};
