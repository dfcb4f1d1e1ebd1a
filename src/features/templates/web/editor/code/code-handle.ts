/** What the pane does with its code field. */
export interface CodeHandle {
  /** Puts text in the place of what is selected, and goes on after it. */
  insert: (text: string) => void;
  /** Moves the cursor to a place. Both count from 1; without a column, all of the line is meant. */
  goTo: (line: number, column: number | null) => void;
}
