import { z } from 'zod';
import { bases } from '#features/contacts/contract.ts';
import { type EventKind, eventOf } from '#platform/shared/contact-event.ts';
import { howSaid } from '../contract.ts';

const basisSaid = eventOf('basis_said', {
  basis: z.enum(bases),
  source: z.string().nullable(),
  givenOn: z.iso.date().nullable(),
  how: z
    .enum(howSaid)
    .describe(
      'By `hand` in its panel, by a program (`api`), with others (`bulk`), by an `import`, or by a `merge`.',
    ),
  import: z.object({ id: z.number().int(), fileName: z.string().nullable() }).nullable(),
  contacts: z.number().int().describe('How many contacts it was said of.'),
});

export const basisEvents: readonly EventKind[] = [{ schema: basisSaid, step: 19, order: 7 }];
export type BasisEvent = z.output<typeof basisSaid>;
