import { z } from 'zod';
import { verdicts } from '#features/addresses/rules.ts';
import { type EventKind, eventOf } from '#platform/shared/contact-event.ts';

const verified = eventOf('verified', {
  verdict: z.enum(verdicts),
  risk: z.number().int().min(0).max(100),
  run: z
    .object({ id: z.number().int(), whole: z.boolean() })
    .nullable()
    .describe(
      'The run that said so: over all contacts, or over this one alone. Null when it was part of another change.',
    ),
});

export const verificationEvents: readonly EventKind[] = [{ schema: verified, step: 100, order: 10 }];
export type VerificationEvent = z.output<typeof verified>;
