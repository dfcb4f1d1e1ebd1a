/**
 * What a template asks about tags: a field for each tag, with its number. It is true or false, and
 * absent where the tag is not there any more. No extra field has this name, because theirs begin
 * with a letter or a figure.
 */
export const tagsField = '_tags';

/** The field of one tag: `_tags.t12`. */
export const tagField = (tag: number): string => `${tagsField}.t${tag}`;

export const isTagField = (name: string): boolean => name.startsWith(`${tagsField}.`);

/** What is said where a template asks about a tag that is not there any more. */
export const deletedTagWords =
  'A block asks for a tag that is not there any more, so nobody sees it. Choose another tag.';

/** The numbers of all tags that these parts ask about. Without any, nobody has to look them up. */
export function tagsAskedIn(parts: Iterable<string>): number[] {
  const found = new Set<number>();
  for (const part of parts)
    for (const [, tag] of part.matchAll(/_tags\.t(\d{1,15})(?!\d)/g)) found.add(Number(tag));
  return [...found].sort((one, other) => one - other);
}

/** A PostgreSQL pattern for text that asks about this tag. `12` is not found in `_tags.t123`. */
export const asksForTagPattern = (tag: number): string => `${tagField(tag).replace('.', '\\.')}\\M`;

/** The tags of one contact, as templates ask about them: `{t12: true, t13: false}`. */
export type TagAnswers = Readonly<Record<string, boolean>>;
