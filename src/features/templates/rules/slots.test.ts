import { describe, expect, it } from 'vitest';
import { masked, spansOf } from './liquid/spans.ts';
import { textSlotsOf } from './slots.ts';

function addressesIn(text: string): string[] {
  const { spans } = spansOf(text);
  return textSlotsOf(masked(text, spans), spans).map(({ start, end }) => text.slice(start, end));
}

describe('an address in a text', () => {
  it.each([
    ['See https://a.example/x, or http://b.example.', ['https://a.example/x', 'http://b.example']],
    ['Bath (https://en.wikipedia.org/wiki/Bath_(city))', ['https://en.wikipedia.org/wiki/Bath_(city)']],
    ['(https://a.example/b_(c)).', ['https://a.example/b_(c)']],
    ['https://a.example/?f[a]=b&g[0][c]=d) x', ['https://a.example/?f[a]=b&g[0][c]=d']],
    ["'https://a.example/b','https://a.example/c'", ['https://a.example/b', 'https://a.example/c']],
    ["https://a.example/it's, https://a.example/they'", ["https://a.example/it's", 'https://a.example/they']],
    ['[Read](https://a.example/b)(c) <https://a.example/d>', ['https://a.example/b', 'https://a.example/d']],
    ['https://a.example/b(c d) https://a.example/e([f)', ['https://a.example/b', 'https://a.example/e']],
    ['https://a.example/b(https://c.example/d)', ['https://a.example/b', 'https://c.example/d']],
    [
      'https://a.example(b) https://a.example[0] xhttps://a.example',
      ['https://a.example', 'https://a.example'],
    ],
    [
      '(https://a.example/b){{ x }} https://a.example/{{ x }}({{ y }})',
      ['https://a.example/b', 'https://a.example/{{ x }}({{ y }})'],
    ],
  ])('%s', (text, addresses) => {
    expect(addressesIn(text)).toEqual(addresses);
  });

  it.each([
    ['{% if vip == "yes" %}https://a.example/vip{% endif %} Bye', ['https://a.example/vip']],
    [
      '{% if a %}(https://a.example/b_(c).){% else %}(https://a.example/d){% endif %}',
      ['https://a.example/b_(c)', 'https://a.example/d'],
    ],
    ['{% case a %}{% when 1 %}https://a.example/b{% when 2 %}x{% endcase %}', ['https://a.example/b']],
    ['{% for a in b %}https://a.example/{{ a }}{% endfor %}', ['https://a.example/{{ a }}']],
    ['{% raw %}https://a.example/b{% endraw %}', ['https://a.example/b']],
    [
      'https://a.example/{% if a %}b{% else %}c{% endif %}{{ d }}',
      ['https://a.example/{% if a %}b{% else %}c{% endif %}{{ d }}'],
    ],
  ])('ends with the block in which it begins: %s', (text, addresses) => {
    expect(addressesIn(text)).toEqual(addresses);
  });

  it('is found quickly', () => {
    const before = process.cpuUsage();
    for (const piece of [
      'https://',
      'https://a/(',
      'a(',
      "'",
      '[)',
      '{% if a %}https://a/b',
      'https://a/{% endif %}',
    ])
      addressesIn(`https://a.example/${piece.repeat(50_000)}x`);
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1e6).toBeLessThan(2);
  });
});
