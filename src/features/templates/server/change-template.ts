import { isDeepStrictEqual } from 'node:util';
import type { Database, TenantTx } from '#platform/server/database.ts';
import type { BodyOf } from '#platform/shared/contract.ts';
import { AppError } from '#platform/shared/errors.ts';
import { contentFields, type TemplateMode } from '../contract/content.ts';
import type { changeTemplate as endpoint, SavedTemplate, Template } from '../contract.ts';
import type { Brand } from '../rules/document/schema.ts';
import { readBrand } from './brand/brand.ts';
import { findTemplate, needTemplate, present } from './find-template.ts';
import {
  keepVersion,
  lockTemplate,
  selectVersionBefore,
  type TemplateContent,
  type TemplateRow,
} from './queries.ts';
import { findingsOf } from './rendering/judged.ts';
import { contentOf, madeOf, type Remade, storedContent, switchedTo } from './rendering/make-html.ts';
import { addVersion, isOwnRun, note, refuseChanged } from './save-template.ts';
import type { Writer } from './writer.ts';

type Change = BodyOf<typeof endpoint>;

/**
 * Changes a template. Writing the same values again leaves no trace, but who asks for it keeps what
 * was saved automatically. Throws `changed_meanwhile`
 * when the template is newer than `version`, and `invalid_input` for content of another mode.
 */
export async function changeTemplate(
  db: Database,
  writer: Writer,
  id: number,
  { version, mode, name, description, category, textContent, autosave = false, ...body }: Change,
): Promise<SavedTemplate> {
  const sent = contentOf(body);
  const isTurned = mode !== undefined && sent === null;
  const { workspaceId } = writer;
  const brand = await db.asTenant(workspaceId, (tx) => readBrand(tx, workspaceId));
  const made = sent && (await madeOf(writer, sent, brand));
  const turned = isTurned ? await turnedInto(db, workspaceId, id, { mode, brand }) : null;
  const fields = { name, description, category, textContent };
  const { leftOut, ...content } = turned?.made ?? made ?? {};
  const saved = await db.asTenant(workspaceId, (tx) =>
    store(tx, writer, id, {
      wanted: { ...fields, ...content },
      isModeSaid: mode !== undefined,
      seen: version ?? turned?.seen,
      isAutomatic: autosave,
    }),
  );
  return { ...saved, ...(await findingsOfSaved(db, workspaceId, saved, leftOut)) };
}

const findingsOfSaved = (
  db: Database,
  workspaceId: number,
  { mode, mjml, document, htmlContent, textContent }: Template,
  leftOut: Remade['leftOut'],
) =>
  findingsOf(
    db,
    workspaceId,
    { mode, source: document ?? mjml, htmlContent, ...(leftOut ? { leftOut } : {}) },
    textContent,
  );

/** The stored content in another mode, and the version that it was. */
async function turnedInto(
  db: Database,
  workspaceId: number,
  id: number,
  { mode, brand }: { mode: TemplateMode; brand: Brand },
) {
  const row = await db.asTenant(workspaceId, (tx) => needTemplate(tx, workspaceId, id));
  if (row.mode === mode) return null;
  const { content } = switchedTo(storedContent(row), row.htmlContent, mode);
  return { made: await madeOf({ workspaceId }, content, brand), seen: row.version };
}

interface Wish {
  wanted: Partial<TemplateContent>;
  isModeSaid: boolean;
  seen: number | undefined;
  isAutomatic: boolean;
}

async function store(
  tx: TenantTx,
  writer: Writer,
  id: number,
  { wanted, isModeSaid, seen, isAutomatic }: Wish,
): Promise<Template> {
  const { workspaceId } = writer;
  await lockTemplate(tx, workspaceId, id);
  const row = await needTemplate(tx, workspaceId, id);
  const content = changed(row, isModeSaid ? wanted : inItsMode(row, wanted));
  const changedFields = differing(content, row);
  if (changedFields.length === 0) {
    if (!isAutomatic) await keepVersion(tx, workspaceId, row, { isMeant: true });
    return present(row);
  }
  refuseChanged(row, writer, seen);
  const isJoined = isAutomatic && isOwnRun(row, writer);
  const before = isJoined ? await selectVersionBefore(tx, workspaceId, row) : undefined;
  await addVersion(tx, writer, row, content, isAutomatic);
  await tellChange(tx, writer, { row, content, changedFields, told: before ? differing(row, before) : [] });
  return findTemplate(tx, workspaceId, id);
}

const differing = (one: TemplateContent, other: TemplateContent): Field[] =>
  fields.filter((field) => !isDeepStrictEqual(one[field], other[field]));

interface Told {
  row: TemplateRow;
  content: TemplateContent;
  changedFields: Field[];
  told: Field[];
}

/**
 * Writes the line in the audit log. For saves that are joined, it repeats nothing that it said of
 * an earlier one, but tells each new name.
 */
async function tellChange(tx: TenantTx, writer: Writer, { row, content, changedFields, told }: Told) {
  const isNewName = changedFields.includes('name');
  const news = changedFields.filter(
    (field) =>
      field !== 'name' &&
      !told.includes(field) &&
      (field !== 'source' || !(changedFields.includes('htmlContent') || told.includes('htmlContent'))),
  );
  if (news.length === 0 && !isNewName) return;
  await note(tx, writer, 'template.changed', row.id, {
    name: isNewName ? { from: row.name, to: content.name } : row.name,
    changedFields: news.map((field) => fieldWords[field]),
    version: row.version + 1,
  });
}

/**
 * What a change asks for that says no mode. The same HTML again is no change. Other content would
 * replace what the template is made from, so it must be meant.
 */
function inItsMode(row: TemplateRow, wanted: Partial<TemplateContent>): Partial<TemplateContent> {
  if (wanted.mode === undefined || wanted.mode === row.mode) return wanted;
  if (wanted.htmlContent === row.htmlContent) {
    const { mode, source, htmlContent, ...rest } = wanted;
    return rest;
  }
  const field = contentFields[wanted.mode];
  const message = `This template is written ${inMode[row.mode]}. Send mode: "${wanted.mode}" too to go on ${inMode[wanted.mode]}.`;
  throw new AppError('invalid_input', message, { fields: { [field]: message } });
}

const inMode = { html: 'in HTML', mjml: 'in MJML', visual: 'in the visual editor' } as const;

const fieldWords = {
  name: 'name',
  description: 'description',
  category: 'category',
  mode: 'way of writing',
  source: 'source',
  htmlContent: 'HTML',
  textContent: 'text version',
} as const;
type Field = keyof typeof fieldWords;
const fields = Object.keys(fieldWords) as Field[];

/** A template's content with changes. An empty text counts as none. */
const changed = (row: TemplateRow, wanted: Partial<Record<keyof TemplateContent, unknown>>) =>
  plainContent({
    ...row,
    ...Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== undefined)),
  });

/** What people sent, as it is stored: an empty description or text is none. */
export const plainContent = (
  given: Omit<TemplateContent, 'description' | 'textContent'> & {
    description?: string | null | undefined;
    textContent?: string | null | undefined;
  },
): TemplateContent => ({
  name: given.name,
  description: given.description || null,
  category: given.category,
  mode: given.mode,
  source: given.source,
  htmlContent: given.htmlContent,
  textContent: given.textContent?.trim() ? given.textContent : null,
});
