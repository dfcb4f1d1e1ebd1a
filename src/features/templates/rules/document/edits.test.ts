import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { blockFrom, copiedText } from './copied-block.ts';
import {
  insertBlock,
  moveBlock,
  removeBlock,
  replaceBlock,
  whyNotInsert,
  whyNotRemove,
  withColumnCount,
  withNewIds,
  withUniqueIds,
} from './edits.ts';
import { beginHistory, mostSteps, record, redo, stepPause, undo } from './history.ts';
import { newBlock } from './new-block.ts';
import { outlineOf } from './outline.ts';
import {
  type Block,
  blocksIn,
  type Direction,
  findBlock,
  listsOf,
  type Place,
  placeBeside,
} from './places.ts';
import { type TemplateDocument, templateDocument } from './schema.ts';

const read = (blocks: unknown[]): TemplateDocument => templateDocument.parse({ version: 1, blocks });
const text = (id: string) => ({ id, type: 'text', html: id });
const example = read([
  text('a'),
  { id: 'c', type: 'columns', columns: [[text('x'), text('y')], []] },
  text('b'),
  { id: 'f', type: 'footer' },
]);

/** A document as ids: `a c(x y|) b f`. */
const shape = ({ blocks }: TemplateDocument): string =>
  blocks
    .map((block) =>
      block.type === 'columns'
        ? `${block.id}(${block.columns.map((column) => column.map(({ id }) => id).join(' ')).join('|')})`
        : block.id,
    )
    .join(' ');

const counter = () => {
  let last = 0;
  return () => `new${++last}`;
};

describe('blocks', () => {
  it.each<[string, Place, string]>([
    ['a', { list: null, at: 4 }, 'c(x y|) b f a'],
    ['b', { list: null, at: 0 }, 'b a c(x y|) f'],
    ['a', { list: { columnsId: 'c', column: 1 }, at: 0 }, 'c(x y|a) b f'],
    ['x', { list: { columnsId: 'c', column: 0 }, at: 2 }, 'a c(y x|) b f'],
    ['y', { list: null, at: 2 }, 'a c(x|) y b f'],
    ['a', { list: null, at: 0 }, 'a c(x y|) b f'],
  ])('move: %s to %j', (id, place, expected) => {
    expect(shape(moveBlock(example, id, place))).toBe(expected);
  });

  it.each<[string, Direction[], string]>([
    ['b', ['up'], 'a b c(x y|) f'],
    ['a', ['down'], 'c(x y|) a b f'],
    ['a', ['up'], 'a c(x y|) b f'],
    ['a', ['right'], 'c(a x y|) b f'],
    ['a', ['right', 'right'], 'c(x y|a) b f'],
    ['a', ['right', 'right', 'right'], 'c(x y|) a b f'],
    ['b', ['left'], 'a c(x y|b) f'],
    ['b', ['left', 'left', 'left'], 'a b c(x y|) f'],
    ['x', ['down'], 'a c(y x|) b f'],
    ['c', ['right'], 'a c(x y|) b f'],
  ])('go with the keyboard: %s %j', (id, directions, expected) => {
    const moved = directions.reduce((document, direction) => {
      const place = placeBeside(document, id, direction);
      return place ? moveBlock(document, id, place) : document;
    }, example);
    expect(shape(moved)).toBe(expected);
  });

  it('keep what they hold when columns go', () => {
    const { block } = findBlock(example, 'c') ?? {};
    if (block?.type !== 'columns') throw new Error('The columns are gone.');
    const changed = (count: number) => shape(replaceBlock(example, withColumnCount(block, count)));
    expect(changed(4)).toBe('a c(x y|||) b f');
    expect(changed(1)).toBe('a c(x y) b f');
    const full = { ...block, columns: [block.columns[0] ?? [], block.columns[0] ?? []] };
    expect(withColumnCount(full, 1).columns[0]).toHaveLength(4);
  });

  it('have ids of their own', () => {
    const twice = read([text('a'), text('a'), { id: 'c', type: 'columns', columns: [[text('a')]] }]);
    expect(shape(withUniqueIds(twice, counter()))).toBe('a new1 c(new2)');
    expect(withUniqueIds(example, counter())).toBe(example);
    const copy = findBlock(example, 'c')?.block;
    expect(copy && shape(read([withNewIds(copy, counter())]))).toBe('new3(new1 new2|)');
  });

  it('may not stand everywhere', () => {
    const columns = newBlock('columns', { newId: counter() });
    const column = { columnsId: 'c', column: 0 };
    expect(whyNotInsert(example, column, columns)).toBe('Columns cannot stand in a column.');
    expect(whyNotInsert(example, null, columns)).toBeNull();
    const full = read(Array.from({ length: 200 }, (_, at) => text(`t${at}`)));
    expect(whyNotInsert(full, null, columns)).toBe('An email has at most 200 blocks below each other.');
    expect(whyNotInsert(full, null, columns, true)).toBeNull();
    const fullColumn = read([
      { id: 'c', type: 'columns', columns: [Array.from({ length: 30 }, (_, at) => text(`t${at}`))] },
    ]);
    expect(whyNotInsert(fullColumn, column, newBlock('text', { newId: counter() }))).toBe(
      'A column has at most 30 blocks.',
    );
  });

  it('leave a way to unsubscribe', () => {
    const link = { id: 'u', type: 'text', html: '<a href="{{ unsubscribe_link }}">Stop</a>' };
    expect(whyNotRemove(example, 'f')).toMatch(/only unsubscribe link/);
    expect(whyNotRemove(example, 'a')).toBeNull();
    expect(whyNotRemove(read([...example.blocks, link]), 'f')).toBeNull();
    expect(whyNotRemove(read([...example.blocks, { id: 'g', type: 'footer' }]), 'f')).toBeNull();
    const forSome = { id: 'g', type: 'footer', showWhen: { field: 'city', operator: 'is_empty' } };
    expect(whyNotRemove(read([...example.blocks, forSome]), 'f')).toMatch(/only unsubscribe link/);
    const onPhones = { id: 'g', type: 'footer', showOn: 'phone' };
    expect(whyNotRemove(read([...example.blocks, onPhones]), 'f')).toMatch(/only unsubscribe link/);
    const inColumn = read([{ id: 'c', type: 'columns', columns: [[{ id: 'f', type: 'footer' }]] }]);
    expect(whyNotRemove(inColumn, 'c')).toMatch(/only unsubscribe link/);
  });

  it('are listed in the order of reading', () => {
    const items = outlineOf(example, new Map());
    expect(items.map(({ id, level, position, of }) => `${id} ${level} ${position}/${of}`)).toEqual([
      'a 1 1/4',
      'c 1 2/4',
      'c/0 2 1/2',
      'x 3 1/2',
      'y 3 2/2',
      'c/1 2 2/2',
      'b 1 3/4',
      'f 1 4/4',
    ]);
  });
});

describe('the clipboard', () => {
  it('takes a block to another template', () => {
    for (const { block } of ['a', 'c', 'f'].map((id) => findBlock(example, id) ?? { block: undefined })) {
      if (!block) throw new Error('A block is gone.');
      const pasted = blockFrom(copiedText(block), counter());
      expect(pasted && withoutIds(pasted)).toEqual(withoutIds(block));
    }
  });

  it.each([
    '',
    'words',
    '{',
    '{}',
    '[]',
    '{"emailBlock":1}',
    '{"emailBlock":2,"block":{"id":"a","type":"text","html":"x"}}',
    '{"emailBlock":1,"block":{"id":"a","type":"script"}}',
    '{"emailBlock":1,"block":{"id":"a","type":"text","html":"x","onclick":"y"}}',
    '{"emailBlock":1,"block":{"id":"a","type":"text","html":"x"},"more":1}',
    `{"emailBlock":1,"block":"${'x'.repeat(1_000_001)}"}`,
  ])('holds no block: %.60s', (given) => {
    expect(blockFrom(given, counter())).toBeNull();
  });
});

const withoutIds = (block: Block): unknown =>
  JSON.parse(JSON.stringify(block, (key, value) => (key === 'id' ? undefined : value)));

/** One edit, by numbers that choose among what is there. */
interface Edit {
  kind: 'add' | 'remove' | 'move' | 'change' | 'step';
  which: number;
  where: number;
}

const edit = fc.record<Edit>({
  kind: fc.constantFrom('add', 'remove', 'move', 'change', 'step'),
  which: fc.nat(),
  where: fc.nat(),
});

function edited(document: TemplateDocument, { kind, which, where }: Edit, id: string): TemplateDocument {
  const blocks = listsOf(document).flatMap((list) => [...blocksIn(document, list)]);
  const block = blocks[which % blocks.length];
  const list = listsOf(document)[where % listsOf(document).length] ?? null;
  const place = { list, at: (where >> 3) % (blocksIn(document, list).length + 1) };
  if (kind === 'add' || !block) {
    const type = (['text', 'button', 'columns', 'footer', 'product'] as const)[which % 5] ?? 'text';
    const added = newBlock(type, { newId: () => id });
    return whyNotInsert(document, list, added) ? document : insertBlock(document, place, added);
  }
  if (kind === 'remove') return whyNotRemove(document, block.id) ? document : removeBlock(document, block.id);
  if (kind === 'change') return replaceBlock(document, { ...newBlock('spacer', { newId: () => block.id }) });
  const to = kind === 'move' ? place : placeBeside(document, block.id, directions[where % 4] ?? 'up');
  if (!to || whyNotInsert(document, to.list, block) || to.list?.columnsId === block.id) return document;
  return moveBlock(document, block.id, to);
}

const directions: Direction[] = ['up', 'down', 'left', 'right'];

describe('undo', () => {
  it('gives back exactly what was, step by step, and redo what came after', () => {
    fc.assert(
      fc.property(fc.array(edit, { maxLength: 40 }), (edits) => {
        const seen = [structuredClone(example)];
        let history = beginHistory(example);
        edits.forEach((one, at) => {
          const next = edited(history.present, one, `n${at}`);
          if (next !== history.present) seen.push(structuredClone(next));
          history = record(history, next, { at });
        });
        const last = history;
        for (const before of seen.toReversed()) {
          expect(history.present).toEqual(before);
          history = undo(history);
        }
        expect(history.past).toEqual([]);
        for (const after of seen) {
          expect(history.present).toEqual(after);
          history = redo(history);
        }
        expect(history.present).toBe(last.present);
      }),
    );
  });

  it('never breaks a document, loses a block or gives an id twice', () => {
    fc.assert(
      fc.property(fc.array(edit, { maxLength: 40 }), (edits) => {
        let document = example;
        edits.forEach((one, at) => {
          const before = idsOf(document);
          document = edited(document, one, `n${at}`);
          const after = idsOf(document);
          expect(new Set(after).size).toBe(after.length);
          if (one.kind === 'move' || one.kind === 'step') expect(after.toSorted()).toEqual(before.toSorted());
        });
        expect(templateDocument.parse(JSON.parse(JSON.stringify(document)))).toEqual(document);
      }),
    );
  });

  it('takes back words and not letters', () => {
    let history = beginHistory('');
    for (const [at, word] of ['a', 'ab', 'abc'].entries())
      history = record(history, word, { kind: 'text', at: at * 100 });
    history = record(history, 'abc d', { kind: 'text', at: 300 + stepPause });
    expect(undo(history).present).toBe('abc');
    expect(undo(undo(history)).present).toBe('');
    const undone = record(undo(history), 'other', { kind: 'text', at: 301 + stepPause });
    expect(undo(undone).present).toBe('abc');
    expect(redo(undone)).toMatchObject({ present: 'other' });
  });

  it('goes back so far and no further', () => {
    let history = beginHistory(0);
    for (let step = 1; step <= mostSteps + 10; step++) history = record(history, step, { at: step });
    for (let step = 0; step < mostSteps + 10; step++) history = undo(history);
    expect(history.present).toBe(10);
  });
});

const idsOf = (document: TemplateDocument): string[] =>
  listsOf(document).flatMap((list) => blocksIn(document, list).map(({ id }) => id));
