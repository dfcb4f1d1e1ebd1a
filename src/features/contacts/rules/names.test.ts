import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { specialWords } from './name-words.ts';
import { fullName, partsOfName, splitName } from './names.ts';

describe('fullName', () => {
  it.each([
    ['Jane', 'Smith', 'Jane Smith'],
    ['Jane', null, 'Jane'],
    [null, 'Smith', 'Smith'],
    ['  Mary  Ann ', ' O’Brien', 'Mary Ann O’Brien'],
    ['', '', null],
    [null, undefined, null],
    [' ', '\t\n', null],
  ])('%j and %j: %j', (first, last, full) => {
    expect(fullName(first, last)).toBe(full);
  });
});

describe('splitName', () => {
  it.each([
    ['Jane Smith', 'Jane', 'Smith'],
    ['  Jane \t Smith ', 'Jane', 'Smith'],
    ['Jane Smith', 'Jane', 'Smith'],
    ['jane smith', 'jane', 'smith'],
    ['JANE SMITH', 'JANE', 'SMITH'],
    ['Jo Li', 'Jo', 'Li'],
    ['Zoë Brontë', 'Zoë', 'Brontë'],
    ['Łukasz Wójcik', 'Łukasz', 'Wójcik'],
    ['Siân Llŷr', 'Siân', 'Llŷr'],
    ['Pat O’Brien', 'Pat', 'O’Brien'],
    ["Pat O'Brien", 'Pat', "O'Brien"],
    ['Pat O Brien', 'Pat', 'O Brien'],
    ["D'Arcy Wells", "D'Arcy", 'Wells'],
    ["Anne 't Hart", 'Anne', "'t Hart"],
    ['Ewan McGregor', 'Ewan', 'McGregor'],
    ['Ewan Mc Gregor', 'Ewan', 'Mc Gregor'],
    ['Mac Jones', 'Mac', 'Jones'],
    ['Al Murray', 'Al', 'Murray'],
    ['Jean-Luc Picard', 'Jean-Luc', 'Picard'],
    ['Ann Smith-Jones', 'Ann', 'Smith-Jones'],
    ['J Smith', 'J', 'Smith'],
    ['J. Smith', 'J.', 'Smith'],
    ['J.R.R. Tolkien', 'J.R.R.', 'Tolkien'],
    ['J. R. R. Tolkien', 'J. R. R.', 'Tolkien'],
    ['J R R Tolkien', 'J R R', 'Tolkien'],
    ['John Q Public', 'John', 'Public'],
    ['John Q. Public', 'John', 'Public'],
    ['John A. B. Public', 'John', 'Public'],
    ['Sarah Jane Smith', 'Sarah', 'Smith'],
    ['Anna Maria Elizabeth Cross', 'Anna', 'Cross'],
    ['Sarah Jane', 'Sarah', 'Jane'],
    ['E. Law', 'E.', 'Law'],
    ['Y Chambers', 'Y', 'Chambers'],
  ])('one after the other: %s', (name, firstName, lastName) => {
    expect(splitName(name)).toEqual({ firstName, lastName });
  });

  it.each([
    ['Helena Bonham Carter', 'Helena', 'Bonham Carter'],
    ['Iain Duncan Smith', 'Iain', 'Duncan Smith'],
    ['Gabriel García Márquez', 'Gabriel', 'García Márquez'],
    ['Ludwig van Beethoven', 'Ludwig', 'van Beethoven'],
    ['Virgil van Dijk', 'Virgil', 'van Dijk'],
    ['Anna van der Berg', 'Anna', 'van der Berg'],
    ['Anna Van Der Berg', 'Anna', 'Van Der Berg'],
    ['Ursula von der Leyen', 'Ursula', 'von der Leyen'],
    ['Charles de Gaulle', 'Charles', 'de Gaulle'],
    ['Oscar de la Hoya', 'Oscar', 'de la Hoya'],
    ['Leonardo da Vinci', 'Leonardo', 'da Vinci'],
    ['Leonardo di Caprio', 'Leonardo', 'di Caprio'],
    ['Osama bin Said', 'Osama', 'bin Said'],
    ['Norman St John', 'Norman', 'St John'],
    ['van Dijk', null, 'van Dijk'],
    ['von der Leyen', null, 'von der Leyen'],
  ])('last names of several words: %s', (name, firstName, lastName) => {
    expect(splitName(name)).toEqual({ firstName, lastName });
  });

  it.each([
    ['Mr John Smith', 'John', 'Smith'],
    ['MR JOHN SMITH', 'JOHN', 'SMITH'],
    ['Mrs. Jane Smith', 'Jane', 'Smith'],
    ['Prof. Dr. Ann van der Berg', 'Ann', 'van der Berg'],
    ['Rev Richard Coles', 'Richard', 'Coles'],
    ['Sir Keir Starmer', 'Keir', 'Starmer'],
    ['The Rt Hon Jane Smith', null, null],
    ['Rt Hon Jane Smith MP', 'Jane', 'Smith'],
    ['Cllr J Patel', 'J', 'Patel'],
    ['Dr Smith', null, 'Smith'],
    ['Ms. O’Neill', null, 'O’Neill'],
    ['Jane Smith MBE', 'Jane', 'Smith'],
    ['Jane Smith, MBE', 'Jane', 'Smith'],
    ['Jane Smith, PhD, FRCS', 'Jane', 'Smith'],
    ['Jane Smith Ph.D.', 'Jane', 'Smith'],
    ['John Smith Jr', 'John', 'Smith'],
    ['John Smith III', 'John', 'Smith'],
    ['Jack Ma', 'Jack', 'Ma'],
    ['JACK MA', 'JACK', 'MA'],
  ])('titles and letters behind: %s', (name, firstName, lastName) => {
    expect(splitName(name)).toEqual({ firstName, lastName });
  });

  it.each([
    ['Smith, Jane', 'Jane', 'Smith'],
    ['Smith,Jane', 'Jane', 'Smith'],
    ['SMITH, Jane', 'Jane', 'SMITH'],
    ['Smith , Jane Mary', 'Jane', 'Smith'],
    ['Smith, Jane M.', 'Jane', 'Smith'],
    ['Smith, J', 'J', 'Smith'],
    ['Smith, J R R', 'J R R', 'Smith'],
    ["O'Brien, Pat", 'Pat', "O'Brien"],
    ['van der Berg, Jan', 'Jan', 'van der Berg'],
    ['de la Cruz, Ana', 'Ana', 'de la Cruz'],
    ['Smith, Mr John', 'John', 'Smith'],
    ['Smith, John Dr', 'John', 'Smith'],
    ['Smith, Mrs', null, 'Smith'],
    ['Smith, John, Jr', 'John', 'Smith'],
    ['Smith-Jones, Ann', 'Ann', 'Smith-Jones'],
  ])('the last name first: %s', (name, firstName, lastName) => {
    expect(splitName(name)).toEqual({ firstName, lastName });
  });

  it.each([
    // One word, or nothing.
    ['Jane'],
    ['IBM'],
    [''],
    ['   '],
    [','],
    ['Smith,'],
    [',Jane'],
    ['Dr'],
    ['Mr J'],
    // Which of the two is it?
    ['Smith J'],
    ['Van Morrison'],
    ['De Souza'],
    ['SMITH Jane'],
    ['Sir Keir'],
    ['Nguyen Van An'],
    ['Zhang Wei'],
    ['Jane Smith, Leeds'],
    ['Smith, Jones, Brown'],
    ['Smith Jones, Ann'],
    // Several people.
    ['Jane & Bob Smith'],
    ['Mr and Mrs Smith'],
    ['Jane Smith/Bob Jones'],
    ['Jane Smith; Bob Jones'],
    ['Jane Smith + 1'],
    // Businesses, posts and what stands in for a name.
    ['Acme Ltd'],
    ['Acme, Inc'],
    ['Smith & Sons'],
    ['Leeds City Council'],
    ['St Mary’s School'],
    ["Sainsbury's"],
    ["St Mary's Church"],
    ['The Jane Smith'],
    ['Friends of the Earth'],
    ['Sales Team'],
    ['Accounts Payable'],
    ['Office Manager'],
    ['Test User'],
    ['N/A'],
    ['n/a n/a'],
    ['Not known?'],
    // Written otherwise than names are.
    ['jane.smith@acme.co.uk'],
    ['Jane Smith 2'],
    ['Jane (Janey) Smith'],
    ['William "Bill" Gates'],
    ['Jane - Smith'],
    ['Jane Smith 🙂'],
    ['王小明'],
    ['김 민수'],
    ['Петров Иван'],
    ['=cmd|x Smith'],
    ['a b c d e f g h i j'],
    ['Ann Bea Cle Dora Eve Fay'],
    [`${'Jane '.repeat(40)}Smith`],
  ])('leaves %j as it is', (name) => {
    expect(splitName(name)).toEqual({ firstName: null, lastName: null });
  });

  it('reads two words in the quick way as it reads them in the other', () => {
    const special = [...specialWords].filter((word) => /^[a-z]{2,}$/.test(word));
    const word = fc.oneof(
      fc.constantFrom(...special),
      fc.constantFrom('jane', 'smith', 'kim', 'ann', 'mary', 'ben', 'jo'),
      fc.stringMatching(/^[a-z]{2,6}$/),
    );
    const written = fc
      .tuple(word, fc.constantFrom('small', 'capital', 'capitals'))
      .map(([text, form]) =>
        form === 'capitals'
          ? text.toUpperCase()
          : form === 'capital'
            ? text.replace(/^./, (letter) => letter.toUpperCase())
            : text,
      );
    fc.assert(
      fc.property(written, fc.constantFrom(' ', ', '), written, (one, between, other) => {
        const parts = partsOfName(one + between + other);
        expect(splitName(one + between + other)).toEqual({
          firstName: parts?.first.join(' ') || null,
          lastName: parts?.last.join(' ') || null,
        });
      }),
      { numRuns: 6000 },
    );
  });

  it('takes words from the name and never makes any up', () => {
    const words = [
      'Jane',
      'van',
      'der',
      'Smith',
      'J.',
      'O',
      'Dr',
      'MBE',
      ',',
      'Ltd',
      '&',
      'SMITH',
      'Ann',
      'de',
    ];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...words), { maxLength: 9 }), (chosen) => {
        const name = chosen.join(' ');
        const { firstName, lastName } = splitName(name);
        for (const part of [firstName, lastName]) if (part !== null) expect(name).toContain(part);
        const parts = partsOfName(name);
        const said = parts ? Object.values(parts).flat().sort() : null;
        if (said) expect(said).toEqual(chosen.filter((word) => word !== ',').sort());
      }),
    );
  });
});
