import type { Database, TenantTx } from '#platform/server/database.ts';
import type { Finding, TemplatePreview } from '../../contract.ts';
import type { TemplateSource } from '../../rules/compile.ts';
import { warningsOf } from '../../rules/warnings.ts';
import { knownFieldsOf } from '../fields/known-fields-of.ts';
import { filled, sourceOf } from '../fill-template.ts';
import { heavyImagesOf } from '../heavy-images.ts';
import type { Remade } from './make-html.ts';
import { mergeData } from './merge-data.ts';
import { type PreviewedHtml, writtenOf } from './previewed-html.ts';

/** What a template is filled with, and the names of all fields that exist. */
export type Ground = Awaited<ReturnType<typeof mergeData>> & { known: readonly string[] };

export async function readGround(
  tx: TenantTx,
  workspaceId: number,
  contactId?: number | undefined,
): Promise<Ground> {
  return {
    ...(await mergeData(tx, workspaceId, contactId)),
    known: await knownFieldsOf(tx, workspaceId),
  };
}

interface Judging {
  written: PreviewedHtml;
  textContent: string | null | undefined;
  ground: Ground;
  /** Only a message has them, a template does not. */
  lines?: Pick<TemplateSource, 'subject' | 'preheader'>;
}

/** A message as it is filled, why it cannot be, and what a careful sender would look at again. */
export async function judged(
  db: Database,
  workspaceId: number,
  { written, textContent, ground: { data, known, sampled }, lines }: Judging,
): Promise<Omit<TemplatePreview, 'contact'>> {
  const result = filled({ ...sourceOf(written.html, textContent), ...lines }, data, known);
  const heavy = await heavyImagesOf(db, workspaceId, result.source.html);
  const isTextMade = !textContent?.trim();
  const told = (findings: readonly Omit<Finding, 'block' | 'liquid'>[]) =>
    toldOf(findings, written.part, isTextMade);
  const warnings = warningsOf(result.source, result.compiled).filter(
    // Blocks and MJML have told of theirs already, at their places.
    ({ key, part }) =>
      written.part === 'html' ||
      part === 'text' ||
      (key !== 'unknown_field' && (key !== 'broken_link' || written.part !== 'document')),
  );
  return {
    subject: result.subject,
    preheader: result.preheader,
    html: result.html,
    text: result.text,
    textSource: result.source.text,
    isTextMade,
    sampled: sampled.filter((field) => result.compiled.fields.some(({ name }) => name === field)),
    problems: written.problems.length > 0 ? written.problems : told(result.problems),
    warnings: [...written.warnings, ...told([...warnings, ...heavy])],
  };
}

/**
 * Findings as the writer understands them: what is wrong with the HTML is wrong with a text that is
 * made from it, and lines of HTML mean nothing to whoever wrote something else.
 */
const toldOf = (
  findings: readonly Omit<Finding, 'block' | 'liquid'>[],
  seen: PreviewedHtml['part'],
  isTextMade: boolean,
): Finding[] =>
  findings
    .filter(({ part }) => part !== 'text' || !isTextMade)
    .map(({ words, part, line, column }) =>
      part === 'html' && seen !== 'html'
        ? { words, part: seen, line: null, column: null, block: null, liquid: null }
        : { words, part, line, column, block: null, liquid: null },
    );

/** What is said of a template when it is saved: the same as in its preview. */
export async function findingsOf(
  db: Database,
  workspaceId: number,
  made: Remade,
  textContent: string | null | undefined,
): Promise<Pick<TemplatePreview, 'problems' | 'warnings'>> {
  const ground = await db.asTenant(workspaceId, (tx) => readGround(tx, workspaceId), { isAside: true });
  const written = writtenOf(made, ground.known);
  const { problems, warnings } = await judged(db, workspaceId, { written, textContent, ground });
  return { problems, warnings };
}
