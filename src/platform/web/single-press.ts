import { type FormEvent, type KeyboardEvent, type MouseEvent, useEffect, useState } from 'react';

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

/** How soon the second press of a double one may come, in milliseconds. */
const longestDouble = 600;

/**
 * Lets the first press of a double one submit a form, and no other: by then the button may mean
 * something else, which nobody has read yet. It goes by time, because a phone may count each tap as
 * a first one, and presses of a key are not counted at all. Whoever changes something between two
 * presses means both.
 */
export function useSinglePress(submit: () => void) {
  const [presses, setPresses] = useState(0);
  const isResting = presses > 0;
  useEffect(() => {
    if (presses === 0) return;
    const rest = setTimeout(setPresses, longestDouble, 0);
    return () => clearTimeout(rest);
  }, [presses]);
  return {
    form: {
      onSubmit: (event: FormEvent) => {
        event.preventDefault();
        // A dialog that stands within this one in React has a form of its own.
        if (event.target !== event.currentTarget) return;
        setPresses(presses + 1);
        if (!isResting) submit();
      },
      onChange: () => setPresses(0),
      /** A key that is held down presses again and again. In a text it begins new lines. */
      onKeyDown: (event: KeyboardEvent) => {
        const isText = event.target instanceof HTMLTextAreaElement;
        if (event.key === 'Enter' && event.repeat && !isText) event.preventDefault();
      },
    },
    /** Not dimmed and not out of focus: this passes before anybody would see it. */
    button: { 'aria-disabled': isResting || undefined },
  };
}
