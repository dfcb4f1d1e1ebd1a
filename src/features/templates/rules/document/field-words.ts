/** What a field is called on screen, by its name in Liquid. */
export type FieldLabels = ReadonlyMap<string, string>;

/** The label of a field. One without reads as its name: `first_name` as `First name`. */
export function fieldWords(field: string, labels: FieldLabels): string {
  const words = field.replace(/[_.]+/g, ' ').trim();
  return labels.get(field) ?? words.charAt(0).toUpperCase() + words.slice(1);
}
