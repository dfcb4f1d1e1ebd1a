import { describe, expect, it } from 'vitest';
import { Echoes } from './echoes.ts';

/** An editor and whoever holds its value. The value comes back when the holder draws. */
function editing() {
  const first = { text: 'first' };
  const echoes = new Echoes(first);
  let present = first;
  return {
    first,
    write: (text: string) => {
      present = { text };
      echoes.tell(present);
      return present;
    },
    /** The holder draws. Answers what is shown then. */
    draw: (given: { text: string }) => {
      if (echoes.isDecision(given, present)) {
        present = given;
        echoes.tell(given);
      }
      return present.text;
    },
  };
}

describe('a value that its holder hands back', () => {
  it('takes nothing back of what is being typed', () => {
    const { first, write, draw } = editing();
    const [one, two, three] = ['a', 'ab', 'abc'].map(write);
    if (!one || !two || !three) throw new Error('nothing was written');
    // The holder may draw for some of them only, and again for other reasons.
    expect([first, one, one, three, three].map(draw)).toEqual(['abc', 'abc', 'abc', 'abc', 'abc']);
  });

  it('is shown when the holder goes back to it, as often as they do', () => {
    const { first, write, draw } = editing();
    const written = write('written');
    draw(written);
    const copied = { text: 'copied' };
    expect([copied, first, copied, written, first, written, copied].map((given) => draw(given))).toEqual([
      'copied',
      'first',
      'copied',
      'written',
      'first',
      'written',
      'copied',
    ]);
  });

  it('is shown when the holder goes back to it past what was typed over it', () => {
    const { first, write, draw } = editing();
    const copied = { text: 'copied' };
    draw(copied);
    const more = write('copied, and more');
    draw(more);
    expect([first, more, copied].map(draw)).toEqual(['first', 'copied, and more', 'copied']);
  });
});
