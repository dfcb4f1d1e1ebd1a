import { describe, expect, it } from 'vitest';
import { columnTarget, readingChoice } from '../../contract.ts';
import {
  isExtra,
  optOutRule,
  ownExtra,
  withAllKept,
  withColumns,
  withDialect,
  withDoNotMail,
  withEmails,
  withOnlyEmail,
  withoutExtras,
  withTarget,
} from './reading-choice.ts';

const dialect = {
  encoding: 'utf-8',
  delimiter: ',',
  lineEnd: 'LF',
  quote: '"',
  header: true,
  titleLines: 2,
} as const;
const current = {
  dialect,
  targets: ['email', 'skip'],
  chosenTargets: null,
  addresses: 'first',
  doNotMail: [],
  chosenDoNotMail: null,
  mend: [],
  sheet: undefined,
} as const;

describe('where columns go', () => {
  it('moves the address to another column and leaves the old one out', () => {
    expect(withTarget(['email', 'name', 'skip'], 2, 'email')).toEqual(['skip', 'name', 'email']);
  });

  it('keeps the address where it is when another target is chosen for its column', () => {
    expect(withTarget(['email', 'skip'], 0, 'name')).toEqual(['email', 'skip']);
  });

  it('gives a field to one column only', () => {
    expect(withTarget(['email', 'name', 'skip'], 2, 'name')).toEqual(['email', 'skip', 'name']);
  });

  it('leaves any number of columns out and keeps any number as extra fields', () => {
    expect(withTarget(['email', 'skip', 'name'], 2, 'skip')).toEqual(['email', 'skip', 'skip']);
    expect(withTarget(['email', 'extra:a', 'skip'], 2, 'extra:b')).toEqual(['email', 'extra:a', 'extra:b']);
    expect(withTarget(['email', 'extra:a', 'skip'], 2, 'extra:a')).toEqual(['email', 'skip', 'extra:a']);
  });

  it.each(['Company', '  Post code ', '', 'x'.repeat(300), '😀'.repeat(120)])(
    'names an extra field after its header as the contract allows it: %s',
    (header) => {
      expect(columnTarget.safeParse(ownExtra({ name: header, extraField: '' })).success).toBe(true);
    },
  );
});

describe('all columns at once', () => {
  const columns = ['Email', 'Town', 'Fax', 'Notes', 'Rating'].map((name) => ({
    name,
    extraField: '',
    filled: name === 'Fax' ? 0 : 0.4,
  }));

  it('are kept as extra fields where they have something and no use yet', () => {
    const targets = ['email', 'skip', 'skip', 'notes', 'doNotMail'];
    expect(withAllKept(targets, columns)).toEqual(['email', 'extra:town', 'skip', 'notes', 'doNotMail']);
    expect(withAllKept(['email', 'skip', 'skip', 'skip', 'skip'], columns)).toEqual([
      'email',
      'extra:town',
      'skip',
      'notes',
      'extra:rating',
    ]);
    expect(withAllKept(['email', 'notes', 'skip', 'skip', 'skip'], columns)[3]).toBe('extra:notes');
    expect(withoutExtras(['email', 'extra:town', 'skip', 'notes'])).toEqual([
      'email',
      'skip',
      'skip',
      'notes',
    ]);
  });

  it('are kept beside one another where they have one name', () => {
    const alike = ['Email', 'Phone', 'phone', 'Phone 2', 'Fax', ''].map((name) => ({
      ...{ name, extraField: '', filled: 1 },
    }));
    const kept = withAllKept(['email', 'skip', 'skip', 'skip', 'extra:phone', 'skip'], alike);
    expect(kept).toEqual([
      'email',
      'extra:phone 3',
      'extra:phone 4',
      'extra:phone 2',
      'extra:phone',
      'extra:field',
    ]);
    const long = Array.from({ length: 150 }, (_, at) => ({
      name: `${'x'.repeat(120)}${at}`,
      extraField: '',
      filled: 1,
    }));
    const columns = withAllKept(['email', ...long.slice(1).map(() => 'skip')], long);
    expect(columns).toContain(`extra:${'x'.repeat(96)} 149`);
    // Whatever the screen asks for, the server takes.
    for (const asked of [kept, columns])
      expect(readingChoice.safeParse({ columns: asked }).success).toBe(true);
    expect(readingChoice.safeParse({ columns: ['email', 'notes', 'notes'] }).success).toBe(false);
  });

  it('are kept in the extra fields that contacts have, whatever their capitals', () => {
    const known = ['Email', 'First Visit', 'first visit'].map((name, at) => ({
      ...{ name, extraField: at === 0 ? 'email' : 'First visit', filled: 1 },
    }));
    expect(withAllKept(['email', 'skip', 'skip'], known)).toEqual([
      'email',
      'extra:First visit',
      'extra:first visit 2',
    ]);
  });

  it('are kept as far as a contact has room', () => {
    const many = Array.from({ length: 300 }, (_, at) => ({ name: `c${at}`, extraField: '', filled: 1 }));
    const kept = withAllKept(['email', 'extra:own', ...many.slice(2).map(() => 'skip')], many);
    expect(kept.filter(isExtra)).toHaveLength(200);
    expect(kept[1]).toBe('extra:own');
    for (const target of kept) expect(columnTarget.safeParse(target).success).toBe(true);
  });
});

describe('several email columns', () => {
  it('are chosen together, given up one by one but for the last, and replaced by one', () => {
    const both = withEmails(['email', 'name', 'skip'], [0, 2]);
    expect(both).toEqual(['email', 'name', 'email']);
    expect(withTarget(both, 0, 'skip')).toEqual(['skip', 'name', 'email']);
    expect(withTarget(['skip', 'name', 'email'], 2, 'skip')).toEqual(['skip', 'name', 'email']);
    expect(withOnlyEmail(both, 2)).toEqual(['skip', 'name', 'email']);
  });

  it('get one more where there are two, which one alone does not', () => {
    const three = withTarget(['email', 'email', 'skip', 'name'], 2, 'email');
    expect(three).toEqual(['email', 'email', 'email', 'name']);
    expect(withTarget(['email', 'skip'], 1, 'email')).toEqual(['skip', 'email']);
  });
});

describe('how the file is read', () => {
  it('stays with the sheet of a workbook', () => {
    expect(withDialect({ ...current, sheet: 'Members' }, { header: false })).toMatchObject({
      sheet: 'Members',
    });
    expect(withColumns({ ...current, sheet: 'Members' }, ['email'])).toMatchObject({ sheet: 'Members' });
  });

  it('changes one part of the dialect and pins the others', () => {
    expect(withDialect(current, { header: false })).toEqual({
      dialect: { encoding: 'utf-8', delimiter: ',', quote: '"', header: false, titleLines: 2 },
      addresses: 'first',
    });
  });

  it('counts the lines above again when the cells are cut otherwise', () => {
    expect(withDialect(current, { delimiter: ';' }).dialect).toEqual({
      encoding: 'utf-8',
      delimiter: ';',
      quote: '"',
      header: true,
    });
  });

  it('keeps the columns somebody chose', () => {
    const chosen = { ...current, chosenTargets: ['email'] };
    expect(withDialect(chosen, { header: false }).columns).toEqual(['email']);
    expect(withColumns(current, ['email', 'email'], 'each')).toEqual({
      dialect: { encoding: 'utf-8', delimiter: ',', quote: '"', header: true, titleLines: 2 },
      columns: ['email', 'email'],
      addresses: 'each',
    });
  });
});

describe('a column that says who must not be mailed', () => {
  const rule = optOutRule(1, ['yes'], ['yes']);
  const recognised = { ...current, targets: ['email', 'doNotMail', 'skip'], doNotMail: [rule] };

  it('goes with all targets when the file is read otherwise: its number may mean another column', () => {
    const chosen = { ...recognised, chosenDoNotMail: [rule] };
    expect(withDialect(chosen, { quote: '' })).toMatchObject({
      columns: recognised.targets,
      doNotMail: [rule],
    });
    expect(withDialect(recognised, { quote: '' })).not.toHaveProperty('columns');
    expect(withDoNotMail(recognised, [rule])).not.toHaveProperty('columns');
  });

  it.each(['skip', 'notes', 'email', 'extra:left'])('says it no more when it goes to %s', (target) => {
    expect(withColumns(recognised, ['email', target, 'skip'])).toMatchObject({
      columns: ['email', target, 'skip'],
      doNotMail: [],
    });
  });

  it('goes on saying it when another column changes', () => {
    expect(withColumns(recognised, ['email', 'doNotMail', 'name'])).not.toHaveProperty('doNotMail');
    const chosen = { ...recognised, chosenDoNotMail: [rule] };
    expect(withColumns(chosen, ['email', 'doNotMail', 'name']).doNotMail).toEqual([rule]);
  });

  it('may be any column', () => {
    const chosen = withColumns({ ...recognised, chosenDoNotMail: [rule] }, [
      'email',
      'doNotMail',
      'doNotMail',
    ]);
    expect(chosen).toMatchObject({ columns: ['email', 'doNotMail', 'doNotMail'], doNotMail: [rule] });
  });

  it('has that target exactly while it has a rule, once targets are chosen', () => {
    const chosen = { ...recognised, chosenTargets: ['email', 'doNotMail', 'skip'] };
    const other = optOutRule(2, ['x'], ['x']);
    expect(withDoNotMail(chosen, []).columns).toEqual(['email', 'skip', 'skip']);
    expect(withDoNotMail(chosen, [rule, other]).columns).toEqual(['email', 'doNotMail', 'doNotMail']);
    expect(withDoNotMail({ ...chosen, chosenTargets: ['email', 'notes', 'skip'] }, [rule]).columns).toEqual([
      'email',
      'notes',
      'skip',
    ]);
    expect(withDoNotMail(recognised, [])).not.toHaveProperty('columns');
  });
});
