/**
 * What a template may cost. All are far above what an email needs, and low enough that the worst
 * template is refused within a second.
 */
export const limits = {
  /** Characters of one part. Gmail clips at 102 kB; pasted newsletters reach 300 kB. */
  source: 1_000_000,
  /** `{{ … }}` and `{% … %}` of one part. */
  tags: 5_000,
  /** Blocks inside each other. */
  depth: 30,
  /** Steps of one value: names of a path, filters, words of a condition. */
  steps: 100,
  /** Items of one list or range. */
  items: 10_000,
  /**
   * Work for one fill of one part. A character that a value writes, that a loop repeats or that
   * goes through a filter is one, and a turn of a loop is `turn`. Other text is written once as it
   * stands.
   */
  work: 4_000_000,
  turn: 100,
  /** What a filter costs beside its characters. */
  filter: 10,
  /** Time zones make a date dearer. */
  date: 2_000,
};
