export interface FilterField {
  /** The name in the screen's state: `status`. */
  key: string;
  /** "UK class". */
  label: string;
  options?: readonly { value: string; label: string }[];
  /** Free text instead of options: an example of what people can type. */
  text?: string;
  /** Days from one to another: `2026-03-01/2026-03-31`. */
  days?: boolean;
}
