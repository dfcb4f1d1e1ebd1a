import { mistyped, type Person, pick, randomFrom, somebody, somebodyAbroad } from './people.ts';

interface Shares {
  /** Share of the rows, 0 to 1. */
  duplicates: number;
  invalid: number;
  nonUk: number;
  suppressed: number;
}

interface FileOrder {
  seed: number;
  rows: number;
  shares: Shares;
  /** Addresses from earlier files. Duplicates come from these and from this file. */
  known: Person[];
  /** Addresses on the suppression list. */
  suppressed: readonly string[];
  sources: readonly string[];
  /** The range of years for its dates. */
  years: readonly [first: number, last: number];
}

/**
 * A contact file with the columns email, name, source and date. Its new addresses are added to
 * `known`.
 */
export function contactFile(order: FileOrder): string {
  const { shares, known, suppressed } = order;
  const random = randomFrom(order.seed);
  const taken = new Set(known.map(({ email }) => email));
  const lines = ['email,name,source,date'];
  const write = ({ email, name }: Person) =>
    lines.push(`${email},${name},${pick(random, order.sources)},${dateIn(random, order.years)}`);
  for (let row = 0; row < order.rows; row += 1) {
    let fate = random();
    const falls = (share: number) => {
      fate -= share;
      return fate < 0;
    };
    if (falls(shares.duplicates) && known.length > 0) write(retyped(random, pick(random, known)));
    else if (falls(shares.invalid))
      write({ ...somebody(random), email: mistyped(random, somebody(random).email) });
    else if (falls(shares.nonUk)) write(somebodyAbroad(random));
    else if (falls(shares.suppressed) && suppressed.length > 0)
      write({ name: '', email: pick(random, suppressed) });
    else {
      const person = somebodyNew(random, taken);
      known.push(person);
      write(person);
    }
  }
  return `${lines.join('\r\n')}\r\n`;
}

function somebodyNew(random: () => number, taken: Set<string>): Person {
  for (;;) {
    const person = somebody(random);
    if (taken.has(person.email)) continue;
    taken.add(person.email);
    return person;
  }
}

const retyped = (random: () => number, { email, name }: Person): Person => ({
  name,
  email: random() < 0.3 ? email.toUpperCase() : email,
});

function dateIn(random: () => number, [first, last]: readonly [number, number]): string {
  const two = (value: number) => String(value).padStart(2, '0');
  const year = first + Math.floor(random() * (last - first + 1));
  return `${two(1 + Math.floor(random() * 28))}/${two(1 + Math.floor(random() * 12))}/${year}`;
}

/** A till's daily takings: a CSV file without a single address, such as people pick by mistake. */
export function tillFile(): string {
  const random = randomFrom(7);
  const lines = ['till,receipt,items,total'];
  for (let row = 1; row <= 180; row += 1) {
    lines.push(
      `${1 + (row % 3)},${40_211 + row},${1 + Math.floor(random() * 9)},${(random() * 80).toFixed(2)}`,
    );
  }
  return `${lines.join('\n')}\n`;
}
