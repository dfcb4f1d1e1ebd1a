import type { TenantTx } from '#platform/server/database.ts';
import type { Template } from '../contract.ts';
import { longestTemplateName } from '../contract.ts';
import { needTemplate } from './find-template.ts';
import { addTemplate } from './save-template.ts';
import type { Writer } from './writer.ts';

/** Makes a template with the same content under another name. Throws `conflict`. */
export async function duplicateTemplate(tx: TenantTx, writer: Writer, id: number): Promise<Template> {
  const row = await needTemplate(tx, writer.workspaceId, id);
  return addTemplate(tx, writer, { ...row, name: nameOfCopy(row.name) }, { copyOf: id });
}

const mark = ' (copy)';

/** The name of a copy, cut where it would be too long. */
const nameOfCopy = (name: string): string =>
  `${[...name].slice(0, longestTemplateName - mark.length).join('')}${mark}`;
