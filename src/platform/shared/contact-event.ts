import { z } from 'zod';

const happened = {
  at: z.iso.datetime(),
  by: z
    .string()
    .nullable()
    .describe(
      'The name of the person, or the API key; null where nobody is recorded, or the product did it by itself.',
    ),
};

/** Something that happened to a contact: its kind, when, by whom, and what else the kind has. */
export const eventOf = <const Kind extends string, Shape extends z.ZodRawShape>(kind: Kind, shape: Shape) =>
  z.object({ kind: z.literal(kind), ...happened, ...shape });

/** An event of any kind, for whoever does not know which there are. */
export const anyEvent = z.looseObject({ kind: z.string(), ...happened });
export type AnyEvent = z.output<typeof anyEvent>;

/** A kind of event that a feature tells. */
export interface EventKind {
  schema: z.ZodObject<{ kind: z.ZodLiteral<string> } & z.ZodRawShape>;
  /**
   * What one transaction did has the time of its start. An address is corrected, its suppression is
   * carried over, and then it is judged anew: the lower step came first.
   */
  step: number;
  /** Where the API document lists it, lowest first. */
  order: number;
}
