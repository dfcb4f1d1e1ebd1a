import { describe, expect, it } from 'vitest';
import { defaultTargets, repeatedTarget } from './mapping.ts';

const usual = ['email', 'name', 'source', 'date'];
const targets = (heads: string, email: string, allowed = usual) => {
  const columns = heads.split('|');
  const found = defaultTargets(columns, columns.indexOf(email), allowed);
  return Object.fromEntries(columns.map((column, index) => [column, found[index]]));
};

describe('where the columns of a file go by themselves', () => {
  it('how a mail program shows an address is no name beside a name', () => {
    const heads = 'First Name|Last Name|E-mail Address|E-mail Type|E-mail Display Name|E-mail 2 Display Name';
    expect(targets(heads, 'E-mail Address')).toEqual({
      'First Name': 'firstName',
      'Last Name': 'lastName',
      'E-mail Address': 'email',
      'E-mail Type': 'skip',
      'E-mail Display Name': 'skip',
      'E-mail 2 Display Name': 'skip',
    });
    expect(targets('Name|Email|Email Display Name', 'Email')['Email Display Name']).toBe('skip');
    expect(targets('Email Display Name|Email|Surname', 'Email')['Email Display Name']).toBe('skip');
  });

  it('it is the name where there is no other', () => {
    expect(targets('E-mail Address|E-mail Display Name', 'E-mail Address')).toMatchObject({
      'E-mail Display Name': 'name',
    });
  });

  it('a display name that is a name of its own stays one', () => {
    expect(targets('Display Name|First Name|Email', 'Email')).toMatchObject({
      'Display Name': 'name',
      'First Name': 'firstName',
    });
  });

  it('what an export calls extra_… is the extra field again, where its name is allowed', () => {
    expect(targets('Email|Name|extra_name|Extra_Source|extra_status|extra_town', 'Email')).toEqual({
      Email: 'email',
      Name: 'name',
      extra_name: 'extra:name',
      Extra_Source: 'extra:source',
      extra_status: 'skip',
      extra_town: 'skip',
    });
  });

  it('columns of one name have an extra field each, also where names are too long to differ', () => {
    const of = (columns: string[], allowed: string[]) =>
      defaultTargets(['email', ...columns], 0, allowed).slice(1);
    expect(of(['Phone', 'phone', 'Phone 2', ' PHONE '], ['phone', 'phone 2'])).toEqual([
      'extra:phone',
      'extra:phone 3',
      'extra:phone 2',
      'extra:phone 4',
    ]);
    expect(of(['Full Name', 'Name', 'name'], ['name'])).toEqual(['name', 'extra:name', 'extra:name 2']);
    const long = ['a', 'b'].map((end) => `${'😀'.repeat(100)}${end}`);
    expect(of(long, long)).toEqual([`extra:${'😀'.repeat(100)}`, `extra:${'😀'.repeat(98)} 2`]);
  });

  it('a column fills the extra field that contacts have, whatever its capitals', () => {
    const of = (columns: string[], known: string[]) =>
      defaultTargets(['email', ...columns], 0, columns, known).slice(1);
    expect(of(['firstVisit', 'TOWN'], ['firstVisit', 'Town', 'shop'])).toEqual([
      'extra:firstVisit',
      'extra:Town',
    ]);
    expect(of(['First Visit'], ['First visit'])).toEqual(['extra:First visit']);
    // Where files have made a second one meanwhile, the header decides, and then what they made.
    expect(of(['firstVisit'], ['firstVisit', 'firstvisit'])).toEqual(['extra:firstVisit']);
    expect(of(['FIRSTVISIT'], ['firstVisit', 'firstvisit'])).toEqual(['extra:firstvisit']);
    expect(of(['FIRSTVISIT'], ['FirstVisit', 'firstVisit'])).toEqual(['extra:FirstVisit']);
    // A second column of it is no third way to write it.
    expect(of(['firstVisit', 'FirstVisit', 'firstvisit 2'], ['firstVisit'])).toEqual([
      'extra:firstVisit',
      'extra:firstvisit 3',
      'extra:firstvisit 2',
    ]);
    expect(of(['Town'], [])).toEqual(['extra:town']);
  });

  it('only addresses, opt-outs and what is left out may have several columns', () => {
    expect(
      repeatedTarget(['email', 'skip', 'email', 'doNotMail', 'skip', 'doNotMail', 'extra:a']),
    ).toBeNull();
    expect(repeatedTarget(['email', 'notes', 'skip', 'notes'])).toEqual({
      target: 'notes',
      first: 1,
      again: 3,
    });
    expect(repeatedTarget(['extra:a', 'email', 'extra:a'])).toMatchObject({ target: 'extra:a', again: 2 });
  });

  it('fields go where the settings allow them, once', () => {
    expect(targets('Email|Name|Full Name|Notes|Town', 'Email', [...usual, 'Town'])).toEqual({
      Email: 'email',
      Name: 'name',
      'Full Name': 'skip',
      Notes: 'skip',
      Town: 'extra:town',
    });
  });
});
