/*
 * Contact files as they really arrive, for benches and browser tests. They are deterministic and
 * streamed, can have any size, and the outcome of their import is known by construction.
 *
 * Each row first gets its fate from a random number that depends only on the seed and the row. Rows
 * to be imported take the next ordinal, and `addressAt(seed, ordinal)` is one-to-one: a bijection
 * scrambles the ordinal, and its digits in mixed radix pick the first name, the last name, the
 * separator and a number. A duplicate is the address of an ordinal already used, perhaps in other
 * letter case. This file uses none of the product's own code.
 */

export interface DirtyRowsOptions {
  rows: number;
  /** Default 1. */
  seed?: number;
  /** Shares of the rows, 0 to 1. Defaults: duplicates 0.08, invalid 0.03, nonUk 0.15. */
  duplicates?: number;
  invalid?: number;
  nonUk?: number;
  /** Suppressed lower-case `.uk` addresses and domains. Some rows use them in turn. */
  suppressedAddresses?: readonly string[];
  suppressedDomains?: readonly string[];
  /** Share of rows that use them. Default 0.02 when any are given. */
  suppressed?: number;
  /** Number of existing contacts, made by `addresses` with the same seed. Default 0. */
  existing?: number;
  /**
   * Share of rows that repeat an existing contact (they count as duplicates). Default 0.1 when
   * there are any.
   */
  existingRepeats?: number;
  /** Nearly every row has a domain of its own, as lists of businesses do. Default false. */
  ownDomains?: boolean;
  /** Default true. */
  header?: boolean;
  /** Approximate size of each chunk. Default 262,144. */
  chunkBytes?: number;
}

/**
 * The result of importing the file with all options on, strict validation and the default UK
 * suffixes.
 */
export interface ExpectedCounts {
  imported: number;
  duplicates: number;
  invalid: number;
  suppressed: number;
  nonUk: number;
}

export interface DirtyRows extends Iterable<Buffer> {
  /** The outcome, if the workspace holds only what the options say. Costs one pass without text. */
  expected(): ExpectedCounts;
}

type Fate = 'imported' | 'duplicate' | 'existing' | 'invalid' | 'suppressed' | 'nonUk';

/**
 * A contact file with the columns email, name, source and date: about 60 bytes per row. Can be
 * iterated many times.
 */
export function dirtyRows(options: DirtyRowsOptions): DirtyRows {
  const plan = planOf(options);
  return {
    *[Symbol.iterator]() {
      const chunkBytes = options.chunkBytes ?? 262_144;
      let text = options.header === false ? '' : 'email,name,source,date\n';
      for (const row of rowsOf(plan)) {
        text += row;
        if (text.length >= chunkBytes) {
          yield Buffer.from(text);
          text = '';
        }
      }
      if (text.length > 0) yield Buffer.from(text);
    },
    expected: () => countFates(plan),
  };
}

/**
 * `count` distinct valid UK addresses, for filling a workspace. `dirtyRows` with the same seed and
 * `existing: count` repeats some of these, and its other addresses are all new.
 */
export function* addresses(count: number, seed = 1, ownDomains = false): Generator<string> {
  checkOrdinal(count);
  for (let ordinal = 0; ordinal < count; ordinal++) yield addressAt(seed, ordinal, ownDomains);
}

interface Plan {
  rows: number;
  seed: number;
  existing: number;
  /** Upper bounds of a random 32-bit number, in the order in which fates are tried. */
  bounds: [fate: Fate, below: number][];
  suppressedTargets: string[];
  isSuppressed: ((address: string) => boolean) | null;
  addressOf: (ordinal: number) => string;
}

function planOf(options: DirtyRowsOptions): Plan {
  const { rows, seed = 1, existing = 0, suppressedAddresses = [], suppressedDomains = [] } = options;
  checkOrdinal(rows + existing);
  const targets = [...suppressedAddresses, ...suppressedDomains];
  const foreign = targets.find((target) => !target.endsWith('.uk') || target !== target.toLowerCase());
  if (foreign !== undefined)
    throw new Error(`${foreign} is not a lower-case .uk name, so its rows would not be suppressed`);

  const shares: [Fate, number][] = [
    ['invalid', options.invalid ?? 0.03],
    ['nonUk', options.nonUk ?? 0.15],
    ['suppressed', targets.length === 0 ? 0 : (options.suppressed ?? 0.02)],
    ['existing', existing === 0 ? 0 : (options.existingRepeats ?? 0.1)],
    ['duplicate', options.duplicates ?? 0.08],
  ];
  let sum = 0;
  const bounds = shares.map(([fate, share]): [Fate, number] => {
    sum += share;
    return [fate, sum * 2 ** 32];
  });
  if (sum > 1) throw new Error(`The shares add up to ${sum}, more than all rows`);
  const addressOf = (ordinal: number) => addressAt(seed, ordinal, options.ownDomains);
  const isSuppressed = targets.length === 0 ? null : suppressionTest(suppressedAddresses, suppressedDomains);
  return { rows, seed, existing, bounds, suppressedTargets: targets, isSuppressed, addressOf };
}

/** A row meant to be imported may hit a suppressed name by chance. It then counts as suppressed. */
function suppressionTest(suppressedAddresses: readonly string[], suppressedDomains: readonly string[]) {
  const exact = new Set(suppressedAddresses);
  const domains = new Set(suppressedDomains);
  return (address: string) => {
    if (exact.has(address)) return true;
    let domain = address.slice(address.indexOf('@') + 1);
    for (;;) {
      if (domains.has(domain)) return true;
      const dot = domain.indexOf('.');
      if (dot === -1) return false;
      domain = domain.slice(dot + 1);
    }
  };
}

function fateOf(plan: Plan, row: number, used: number): Fate {
  const random = mix(plan.seed, row, 1);
  for (const [fate, below] of plan.bounds) {
    if (random < below) return fate === 'duplicate' && used === 0 ? 'imported' : fate;
  }
  return 'imported';
}

/** The ordinal of the address that row `row` repeats. */
function repeatedOrdinal(plan: Plan, row: number, fate: Fate, used: number): number {
  const random = mix(plan.seed, row, 2);
  return fate === 'existing' ? random % plan.existing : plan.existing + (random % used);
}

function countFates(plan: Plan): ExpectedCounts {
  const counts = { imported: 0, duplicates: 0, invalid: 0, suppressed: 0, nonUk: 0 };
  const { existing, isSuppressed } = plan;
  let used = 0;
  for (let row = 0; row < plan.rows; row++) {
    const fate = fateOf(plan, row, used);
    if (fate === 'invalid' || fate === 'nonUk' || fate === 'suppressed') {
      counts[fate]++;
      continue;
    }
    const repeats = fate !== 'imported';
    const ordinal = repeats ? repeatedOrdinal(plan, row, fate, used) : existing + used;
    if (!repeats) used++;
    if (isSuppressed?.(plan.addressOf(ordinal))) counts.suppressed++;
    else if (repeats) counts.duplicates++;
    else counts.imported++;
  }
  return counts;
}

function* rowsOf(plan: Plan): Generator<string> {
  const { seed, existing } = plan;
  let used = 0;
  for (let row = 0; row < plan.rows; row++) {
    const fate = fateOf(plan, row, used);
    const random = mix(seed, row, 3);
    let email: string;
    if (fate === 'imported') {
      email = plan.addressOf(existing + used);
      used++;
    } else if (fate === 'invalid') {
      email = invalidCell(random, plan.addressOf(random % maxOrdinal));
    } else if (fate === 'nonUk') {
      email = foreignAddress(random, plan.addressOf(random % maxOrdinal));
    } else if (fate === 'suppressed') {
      email = suppressedAddress(plan, row, plan.addressOf(random % maxOrdinal));
    } else {
      email = inOtherWords(random, plan.addressOf(repeatedOrdinal(plan, row, fate, used)));
    }
    yield `${email},${nameCell(random)},${pick(sources, random >>> 7)},${pick(dates, random >>> 11)}\n`;
  }
}

const maxOrdinal = 2 ** 25;

function checkOrdinal(count: number): void {
  if (count > maxOrdinal)
    throw new Error(`At most ${maxOrdinal} distinct addresses can be made, not ${count}`);
}

/**
 * The address of an ordinal below 2^25: distinct for distinct ordinals, valid, lower case, under
 * `.uk`.
 */
export function addressAt(seed: number, ordinal: number, ownDomain = false): string {
  // An odd multiplier and a shift are one-to-one on 25 bits.
  let digits = (Math.imul(ordinal, 0x9e3779b1) + Math.imul(seed, 0x85ebca6b)) & (maxOrdinal - 1);
  digits ^= digits >>> 12;
  const first = firstNames[digits % firstNames.length] as Name;
  digits = Math.floor(digits / firstNames.length);
  const last = lastNames[digits % lastNames.length] as Name;
  digits = Math.floor(digits / lastNames.length);
  const separator = separators[digits % separators.length] as string;
  const number = Math.floor(digits / separators.length);
  const local = `${first.plain}${separator}${last.plain}${number === 0 ? '' : number}`;
  return `${local}@${ownDomain ? firmAt(ordinal) : domainAt(mix(seed, ordinal, 4), ordinal)}`;
}

/**
 * Four in ten are at the large providers, the others at small firms. The number of firms grows with
 * the contacts: about 200,000 domains in a file of 1.5 million rows.
 */
function domainAt(random: number, ordinal: number): string {
  if (random % 10 < 4) return pick(providers, random >>> 8);
  const domains = 40 + 3.7 * (ordinal + 1) ** 0.8;
  return firmAt(Math.floor((mix(random, ordinal, 5) / 2 ** 32) * domains));
}

/** The domain of a small firm, another for each number. */
function firmAt(index: number): string {
  // A step coprime to the number of names visits all of them in a seemingly random order.
  let digits = ((index % plainDomains) * 100_003) % plainDomains;
  const number = Math.floor(index / plainDomains);
  const first = placesAndFamilies[digits % placesAndFamilies.length] as string;
  digits = Math.floor(digits / placesAndFamilies.length);
  const trade = trades[digits % trades.length] as string;
  digits = Math.floor(digits / trades.length);
  const suffix = suffixes[digits % suffixes.length] as string;
  const hyphen = digits < suffixes.length ? '' : '-';
  return `${first}${hyphen}${trade}${number === 0 ? '' : number + 1}${suffix}`;
}

/** The same identity, written differently half of the time. */
function inOtherWords(random: number, address: string): string {
  switch (random % 10) {
    case 0:
    case 1:
      return address.toUpperCase();
    case 2:
    case 3:
      return address.charAt(0).toUpperCase() + address.slice(1);
    case 4:
      return ` ${address} `;
    default:
      return address;
  }
}

/** An email cell that no rule accepts. */
function invalidCell(random: number, address: string): string {
  const at = address.indexOf('@');
  const local = address.slice(0, at);
  const domain = address.slice(at + 1);
  switch (random % 12) {
    case 0:
      return `${local}.${domain}`;
    case 1:
      return `${local}@@${domain}`;
    case 2:
      return `@${domain}`;
    case 3:
      return `${local}@`;
    case 4:
      return `${local}@localhost`;
    case 5:
      return `${local} home@${domain}`;
    case 6:
      return `${local}..x@${domain}`;
    case 7:
      return `.${local}@${domain}`;
    case 8:
      return `${local}@-${domain}`;
    case 9:
      return `"${local}@${domain.replace('.', ',')}"`;
    case 10:
      return `${local}@${domain.replace('.', '..')}`;
    default:
      return pick(nonAnswers, random >>> 9);
  }
}

function foreignAddress(random: number, address: string): string {
  const local = address.slice(0, address.indexOf('@'));
  return `${local}@${pick(foreignDomains, random >>> 9)}`;
}

function suppressedAddress(plan: Plan, row: number, address: string): string {
  const target = pick(plan.suppressedTargets, mix(plan.seed, row, 6));
  return target.includes('@') ? target : `${address.slice(0, address.indexOf('@'))}@${target}`;
}

/** Mostly `Jane Smith`, but sometimes empty, or `"Smith, Jane"`. */
function nameCell(random: number): string {
  const first = (firstNames[(random >>> 3) % firstNames.length] as Name).shown;
  const last = (lastNames[(random >>> 13) % lastNames.length] as Name).shown;
  const style = (random >>> 21) % 50;
  if (style === 0) return '';
  return style === 1 ? `"${last}, ${first}"` : `${first} ${last}`;
}

function pick(list: readonly string[], random: number): string {
  return list[random % list.length] as string;
}

/** Mixes three numbers well into one of 32 bits: murmur3's finaliser over their combination. */
function mix(a: number, b: number, c: number): number {
  let h = Math.imul(a, 0xcc9e2d51) ^ Math.imul(b + 1, 0x1b873593) ^ Math.imul(c, 0xe6546b64);
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

interface Name {
  shown: string;
  /** As in an address: only a to z. */
  plain: string;
}

function names(list: string): Name[] {
  return list.split(/\s+/).map((shown) => ({
    shown,
    plain: shown
      .normalize('NFD')
      .toLowerCase()
      .replace(/[^a-z]/g, ''),
  }));
}

const firstNames = names(
  `Oliver George Harry Jack Jacob Noah Charlie Thomas Oscar William James Leo Alfie Henry Joshua Freddie Archie Ethan
  Isaac Alexander Joseph Edward Samuel Max Logan Lucas Daniel Theo Arthur Mohammed Harrison Benjamin Mason Finley
  Sebastian Adam Dylan Zachary Riley Teddy Olivia Amelia Isla Emily Ava Lily Mia Sophia Isabella Grace Poppy Ella Evie
  Charlotte Jessica Daisy Alice Sophie Florence Freya Phoebe Evelyn Sienna Elsie Ruby Millie Matilda Rosie Chloe Sarah
  Karen Susan Margaret Patricia Linda Christine Julie Helen Elizabeth Jane Claire Emma Rachel Rebecca Laura Gemma David
  John Michael Paul Andrew Mark Robert Stephen Richard Peter Christopher Anthony Kevin Simon Graham Keith Nigel Trevor
  Siân Rhys Gareth Dafydd Megan Carys Angharad Rhiannon Owain Llŷr Gwenllian Bethan Ieuan Cerys Eleri Huw Alun Emrys
  Hamish Callum Fergus Ewan Lachlan Angus Duncan Iain Malcolm Catriona Mhairi Eilidh Ailsa Kirsty Morag Isobel Fiona Rory
  Niamh Siobhán Ciarán Aoife Declan Orla Seán Róisín Priya Anjali Aisha Fatima Zainab Imran Asif Bilal Hamza Yusuf Amir
  Rohan Arjun Vikram Sanjay Sunita Deepa Kavita Meera Neha Pooja Ravi Rajesh Harpreet Gurpreet Simran Manjit Jaspreet
  Nasreen Shabana Tariq Waqas Zahra Maryam Ibrahim Khadija Farhan Sadia Nadia Rukhsana Chidi Ngozi Kwame Abena Folake
  Agnieszka Piotr Zofia Wei Mei`,
);

const lastNames = names(
  `Smith Jones Taylor Brown Williams Wilson Johnson Davies Robinson Wright Thompson Evans Walker White Roberts Green Hall
  Wood Jackson Clarke Clark Harris Lewis Turner Hill Cooper Ward Moore Morris Watson King Harrison Baker Edwards Allen
  Scott Morgan Bennett Young Cook Phillips Shaw Price Griffiths Lee Parker Marshall Carter Bailey Richardson Cox Adams
  Collins Bell Mitchell Webb Rogers Mills Palmer Knight Barnes Chapman Hughes Lloyd Powell Rees Jenkins Thomas Pritchard
  Llewellyn Vaughan Bowen Gwynne Probert Parry Owen Meredith Bevan Cadwallader MacDonald Campbell Stewart Robertson
  Anderson Murray Reid Ross Fraser Sinclair MacLeod Mackenzie Buchanan Drummond Ferguson Graham Henderson Kerr Lindsay
  Munro Ogilvie Paterson Ramsay Sutherland Urquhart Wallace O'Brien O'Neill Murphy Kelly Byrne Gallagher Doherty McCarthy
  Quinn Patel Shah Khan Ahmed Ali Hussain Begum Akhtar Malik Mahmood Iqbal Chaudhry Sheikh Qureshi Mirza Bhatti Rahman
  Chowdhury Miah Uddin Islam Singh Kaur Gill Sandhu Dhillon Sidhu Grewal Bains Sharma Verma Gupta Mehta Desai Joshi
  Chopra Kapoor Reddy Nair Iyer Menon Banerjee Mukherjee Sen Das Okafor Adeyemi Mensah Boateng Nwosu Kowalski Nowak
  Wang Chen Nguyen Featherstone Hargreaves Ashworth Braithwaite Fairclough Greenhalgh Higginbottom Ramsbottom Sutcliffe
  Thistlethwaite Winterbottom Barraclough Cholmondeley Penhaligon Trelawney Tremayne Pascoe Nancarrow`,
);

const separators = ['.', '_', '-'];

const providers = [
  'hotmail.co.uk',
  'yahoo.co.uk',
  'live.co.uk',
  'blueyonder.co.uk',
  'tiscali.co.uk',
  'googlemail.co.uk',
  'talk21.co.uk',
  'plus.net.uk',
  'fsmail.co.uk',
  'freeserve.co.uk',
  'onetel.co.uk',
  'zen.co.uk',
];

const places =
  `leeds york hull bath kent ely wells ripon derby truro perth leith oban ayr fife barry rhyl bangor mold neath tenby
  luton poole hove lewes rye deal dover bury bolton wigan oldham stoke stone rugby leek louth boston lynn diss ware
  hertford oxford reading slough woking epsom croydon ealing acton barnet camden hackney bow exeter tiverton bude looe
  cardiff swansea newport wrexham glasgow dundee stirling elgin wick skye antrim derrycity newry armagh down`.split(
    /\s+/,
  );

const placesAndFamilies = [...new Set([...places, ...lastNames.slice(0, 130).map((name) => name.plain)])];

const trades =
  `plumbing roofing joinery law dental vets motors tyres taxis homes lets build paving tiles glass doors floors paint
  gas heat solar power tech data web media print design studio photo films music books toys gifts cards cakes bakery
  cafe pizza curry foods farm dairy meats fish wines beers inns hotel travel tours boats cycles golf gym yoga spa hair
  nails care nurse health optics lab school tutors dance drama arts crafts yarns cloth shoes hats gems clocks antiques
  books-online garden trees flowers seeds pets dogs horses steel metal tools parts hire vans freight post store trade
  group works partners services supplies`.split(/\s+/);

const suffixes = ['.co.uk', '.uk', '.org.uk', '.ltd.uk'];

/** How many domains exist before they need a number. */
const plainDomains = placesAndFamilies.length * trades.length * suffixes.length * 2;

const foreignDomains = [
  'gmail.com',
  'outlook.com',
  'hotmail.com',
  'yahoo.com',
  'icloud.com',
  'aol.com',
  'btinternet.com',
  'sky.com',
  'gmx.de',
  'web.de',
  'orange.fr',
  'eircom.net',
  'libero.it',
  'wp.pl',
  'abbeyjoinery.com',
  'notuk.com',
  'couk.net',
  'harbourlights.ie',
];

const nonAnswers = ['none', 'n/a', 'not given', 'unknown', 'no email', 'refused', 'tbc', 'see notes'];

const sources = ['web', 'shop', 'event', 'phone', 'form', 'trade', 'app', 'refer'];

const dates = Array.from({ length: 2_000 }, (_, day) =>
  new Date(Date.UTC(2020, 0, 1 + day)).toISOString().slice(0, 10),
);
