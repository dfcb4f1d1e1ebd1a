import type { MouseEvent } from 'react';

/**
 * Answers the first press of a double one and drops the others. For buttons that remove their own
 * row: the next row moves up, and the second press would remove that one too.
 */
export const firstPress =
  (press: () => unknown) =>
  ({ detail }: Pick<MouseEvent, 'detail'>): void => {
    // The count of presses at this place. A press by the keyboard counts none.
    if (detail <= 1) press();
  };

/**
 * Lets the first press of a double one submit a form, and no other. By then the button may mean
 * something else, which nobody has read yet.
 */
export const submitOnFirstPress = (event: MouseEvent): void => {
  if (event.detail > 1) event.preventDefault();
};
