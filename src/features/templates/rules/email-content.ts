import { z } from 'zod';
import { templateDocument } from './document/schema.ts';

/** An email as an editor holds it, in one of three ways. It need not be finished. */
export const emailContent = z.discriminatedUnion('mode', [
  z.object({ mode: z.literal('html'), htmlContent: z.string() }),
  z.object({ mode: z.literal('mjml'), mjml: z.string() }),
  z.object({ mode: z.literal('visual'), document: templateDocument }),
]);
