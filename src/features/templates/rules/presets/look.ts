/** The colours and letters of a preset. Text on each ground has a contrast of at least 4.5. */
export interface Look {
  /** Around the email. */
  ground: string;
  /** The one strong colour: the head, buttons, links. Carries white text. */
  accent: string;
  /** A pale ground for what stands apart. Carries ink, dim and accent text. */
  tint: string;
  ink: string;
  dim: string;
  /** The letters of headings. */
  headings: 'Helvetica' | 'Georgia';
}
