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

/** Something that happened to a contact: its kind, when, by whom, and the kind's own fields. */
export const eventOf = <const Kind extends string, Shape extends z.ZodRawShape>(kind: Kind, shape: Shape) =>
  z.object({ kind: z.literal(kind), ...happened, ...shape });

/** An event of any kind, for code that does not know the kinds. */
export const anyEvent = z.looseObject({ kind: z.string(), ...happened });
export type AnyEvent = z.output<typeof anyEvent>;

/** A kind of event that a feature reports. */
export interface EventKind {
  schema: z.ZodObject<{ kind: z.ZodLiteral<string> } & z.ZodRawShape>;
  /**
   * All events of one transaction carry its start time, so `step` orders them. An address is
   * corrected, its suppression is carried over, and then it is judged again: the lower step came
   * first.
   */
  step: number;
  /** Its place in the API document, lowest first. */
  order: number;
}
