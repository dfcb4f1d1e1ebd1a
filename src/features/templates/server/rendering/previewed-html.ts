import type { BodyOf } from '#platform/shared/contract.ts';
import { AppError } from '#platform/shared/errors.ts';
import type { Finding, previewTemplate } from '../../contract.ts';
import { compileTemplate } from '../../rules/compile.ts';
import { blockFindings } from '../../rules/document/block-findings.ts';
import { type Brand, type SentDocument, withBrand } from '../../rules/document/schema.ts';
import { unknownFields } from '../../rules/warnings.ts';
import { inThread } from './render-thread.ts';

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
  { htmlContent, mjml, document }: Body,
  known: readonly string[],
  brand: Brand,
): Promise<PreviewedHtml> {
  if (document != null) return ofDocument(document, known, brand);
  if (mjml != null) return ofMjml(mjml, known);
  if (htmlContent == null) throw new AppError('invalid_input', 'HTML content is required');
  return { html: htmlContent, problems: [], warnings: [], part: 'html' };
}

async function ofDocument(
  sent: SentDocument,
  known: readonly string[],
  brand: Brand,
): Promise<PreviewedHtml> {
  const document = withBrand(sent, brand);
  const found = blockFindings(document, known).map(({ words, block, isProblem }) => ({
    isProblem,
    finding: { words, part: 'document' as const, line: null, column: null, block },
  }));
  return {
    html: await inThread('document', document),
    problems: found.filter(({ isProblem }) => isProblem).map(({ finding }) => finding),
    warnings: found.filter(({ isProblem }) => !isProblem).map(({ finding }) => finding),
    part: 'document',
  };
}

async function ofMjml(mjml: string, known: readonly string[]): Promise<PreviewedHtml> {
  const { html, faults, leftOut } = await inThread('mjml', mjml);
  const source = { subject: '', preheader: '', html: mjml, text: '' };
  const compiled = compileTemplate(source, known);
  const inMjml = ({ words, line, column }: Placed): Finding => ({
    words,
    part: 'mjml',
    line,
    column,
    block: null,
  });
  const problems = [
    ...faults.map(({ words, line }) => inMjml({ words, line, column: null })),
    ...compiled.problems.map(inMjml),
  ];
  const warnings = [
    ...unknownFields(compiled).map(inMjml),
    ...leftOut.map(({ what }) =>
      inMjml({ words: `A mail cannot hold ${what}: it is left out.`, line: null, column: null }),
    ),
  ];
  return { html, problems, warnings, part: 'mjml' };
}
