import type { BodyOf } from '#platform/shared/contract.ts';
import { AppError } from '#platform/shared/errors.ts';
import type { Finding, previewTemplate } from '../../contract.ts';
import { compileTemplate } from '../../rules/compile.ts';
import { blockFindings } from '../../rules/document/block-findings.ts';
import { type Brand, type TemplateDocument, withBrand } from '../../rules/document/schema.ts';
import type { RenderedMjml } from '../../rules/mjml/render.ts';
import { unknownFields } from '../../rules/warnings.ts';
import type { Remade } from './make-html.ts';
import { type RenderGuest, renderApart } from './render-process.ts';

type Body = Pick<BodyOf<typeof previewTemplate>, 'htmlContent' | 'mjml' | 'document'>;
type Placed = Pick<Finding, 'words' | 'line' | 'column'>;

/** What is previewed: its HTML, and what is wrong with what the HTML is made from. */
export interface PreviewedHtml {
  html: string;
  problems: Finding[];
  warnings: Finding[];
  /** What its writer sees. */
  part: 'html' | 'mjml' | 'document';
}

/** Makes the HTML of what somebody is writing, with all faults instead of the first. */
export async function previewedHtml(
  guest: RenderGuest,
  { htmlContent, mjml, document }: Body,
  known: readonly string[],
  brand: Brand,
): Promise<PreviewedHtml> {
  if (document != null) {
    const whole = withBrand(document, brand);
    return ofDocument(whole, await renderApart(guest, 'document', whole), known);
  }
  if (mjml != null) {
    const { html, faults, leftOut } = await renderApart(guest, 'mjml', mjml);
    const { problems, ...made } = ofMjml(mjml, { html, leftOut }, known);
    return { ...made, problems: [...faults.map((fault) => inMjml({ ...fault, column: null })), ...problems] };
  }
  if (htmlContent == null) throw new AppError('invalid_input', 'HTML content is required');
  return ofHtml(htmlContent);
}

/** The same of what is stored, whose HTML is made already. */
export function writtenOf(
  { mode, source, htmlContent, leftOut = [] }: Remade,
  known: readonly string[],
): PreviewedHtml {
  if (mode === 'visual') return ofDocument(source as TemplateDocument, htmlContent, known);
  if (mode === 'mjml') return ofMjml(source as string, { html: htmlContent, leftOut }, known);
  return ofHtml(htmlContent);
}

const ofHtml = (html: string): PreviewedHtml => ({ html, problems: [], warnings: [], part: 'html' });

function ofDocument(document: TemplateDocument, html: string, known: readonly string[]): PreviewedHtml {
  const found = blockFindings(document, known).map(({ words, block, liquid, isProblem }) => ({
    isProblem,
    finding: { words, part: 'document' as const, line: null, column: null, block, liquid },
  }));
  return {
    html,
    problems: found.filter(({ isProblem }) => isProblem).map(({ finding }) => finding),
    warnings: found.filter(({ isProblem }) => !isProblem).map(({ finding }) => finding),
    part: 'document',
  };
}

const inMjml = ({ words, line, column }: Placed): Finding => ({
  words,
  part: 'mjml',
  line,
  column,
  ...{ block: null, liquid: null },
});

function ofMjml(
  mjml: string,
  { html, leftOut }: Omit<RenderedMjml, 'faults'>,
  known: readonly string[],
): PreviewedHtml {
  const source = { subject: '', preheader: '', html: mjml, text: '' };
  const compiled = compileTemplate(source, known);
  const warnings = [
    ...unknownFields(compiled).map(inMjml),
    ...leftOut.map(({ what }) =>
      inMjml({ words: `A mail cannot hold ${what}: it is left out.`, line: null, column: null }),
    ),
  ];
  return { html, problems: compiled.problems.map(inMjml), warnings, part: 'mjml' };
}
