/**
 * Believable people and firms for the demo workspace. All are invented, and every run uses the same
 * ones.
 */

/**
 * A source of numbers from 0 to 1. The same seed gives the same numbers (mulberry32, public
 * domain).
 */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export const pick = <T>(random: () => number, list: readonly T[]): T =>
  list[Math.floor(random() * list.length)] as T;

const list = (words: string) => words.trim().split(/\s+/);

const firstNames = list(`
  Priya Tom Eilidh Rosalind Callum Megan Rhys Bethan Aisha Imran Harriet Oliver Amelia Jack Isla George Freya Arthur Ada
  Edward Florence Hugh Iris Alistair Morag Fiona Ewan Catriona Gareth Carys Owain Nia Declan Niamh Orla Sean Ruth Simon
  Hannah Peter Claire Stephen Joanne Martin Gillian Neil Sunita Rajesh Anjali Vikram Fatima Yusuf Zainab Tariq Chidi Ngozi
  Kwame Agnieszka Piotr Mei Wei Louise Graham Beverley Keith Tracey Nigel Sandra Malcolm Yvonne Trevor Hilary`);
const lastNames = list(`
  Nair Ashdown Macrae Pritchard Hargreaves Bramley Whitfield Okafor Sutcliffe Fairclough Penhaligon Trelawney Lockwood
  Barraclough Thwaite Greenwood Holloway Radcliffe Prescott Langford Ellis Rowntree Kendrick Marlow Aldridge Stokes Fenwick
  Heron Tindall Wardle Mistry Chaudhry Rahman Begum Sandhu Gill Kaur Mensah Boateng Adeyemi Kowalska Nowak Chen MacLeod Reid
  Buchanan Sinclair Drummond Urquhart Rees Vaughan Bevan Probert Gallagher Doherty Quinn Armitage Blackwood Cartwright
  Dunmore Eastwood Farrow Goodall Hartley Inglis Jessop Kershaw Lister Merrick Norcross Oakley Pemberton Quayle Redfern
  Shelton Tattersall Underhill Verity Wainwright Yardley`);
const places = list(`
  harrowgate bramley dales whitby kelso ribble avon solent pennine cotswold mendip lune severn teign wharfe arden brecon
  cheviot clyde copeland dovedale eskdale fenland galloway hebden ilkley jorvik keswick lomond malvern nidd orkney padstow
  quantock rothbury sherwood tamar ullswater vale wensley yarrow anglesey braemar cromer dunkeld elgin falmouth glenlyon
  hexham islay kintyre ludlow moray northwick oakham pendle rutland skipton tweed usk`);
const trades = list(`
  foods joinery dairy saddlery bakery interiors plumbing gardens books cycles ceramics brewing catering lettings motors
  optics timber textiles stationery orchards fisheries roofing glazing antiques florist kitchens lighting vets nurseries
  tearooms outdoors signs print furniture deli cheese workwear marine heating joiners`);
const suffixes = [
  '.co.uk',
  '.co.uk',
  '.co.uk',
  '.co.uk',
  '.uk',
  '.org.uk',
  '.co.uk',
  '.scot',
  '.wales',
  '.london',
];
const publicBodies = list(`
  derwentcollege.ac.uk northmoor.gov.uk riverside-practice.nhs.uk westhampton.hants.sch.uk calderuniversity.ac.uk
  eastfold.gov.uk`);
const homeProviders = list(`
  btinternet.com btinternet.com sky.com virginmedia.com talktalk.net ntlworld.com hotmail.co.uk yahoo.co.uk live.co.uk
  blueyonder.co.uk`);
const foreignProviders = list(
  'gmail.com gmail.com outlook.com icloud.com web.de orange.fr libero.it wp.pl comcast.net',
);
const sharedMailboxes = ['info', 'orders', 'sales', 'hello', 'accounts', 'office', 'enquiries'];

export interface Person {
  email: string;
  /** Empty for a shared mailbox. */
  name: string;
}

/**
 * One person: most are at a firm, some at home, a few at a public body. May repeat an earlier
 * person.
 */
export function somebody(random: () => number): Person {
  const first = pick(random, firstNames);
  const last = pick(random, lastNames);
  const name = `${first} ${last}`;
  const kind = random();
  if (kind < 0.68) return atFirm(random, first, last);
  const local = `${first}.${last}`.toLowerCase();
  if (kind < 0.72) return { name, email: `${local}@${pick(random, publicBodies)}` };
  const year = random() < 0.6 ? String(50 + Math.floor(random() * 50)) : '';
  return { name, email: `${local}${year}@${pick(random, homeProviders)}` };
}

function atFirm(random: () => number, first: string, last: string): Person {
  const hyphen = random() < 0.12 ? '-' : '';
  const domain = `${pick(random, places)}${hyphen}${pick(random, trades)}${pick(random, suffixes)}`;
  if (random() < 0.12) return { name: '', email: `${pick(random, sharedMailboxes)}@${domain}` };
  const forms = [`${first}.${last}`, `${first}.${last}`, `${first[0]}.${last}`, first];
  return { name: `${first} ${last}`, email: `${pick(random, forms).toLowerCase()}@${domain}` };
}

/** Somebody whose address no rule counts as British. */
export function somebodyAbroad(random: () => number): Person {
  const { name, email } = somebody(random);
  const local = email.slice(0, email.indexOf('@'));
  return { name, email: `${local}${Math.floor(random() * 90) + 10}@${pick(random, foreignProviders)}` };
}

/** A typical mistyped form of an address. */
export function mistyped(random: () => number, email: string): string {
  const [local = '', domain = ''] = email.split('@');
  return pick(random, [
    `${local}${domain}`,
    `${local}@@${domain}`,
    `${local}..info@${domain}`,
    `${local}@${domain.replace('.', '..')}`,
    `${local}@${domain.slice(0, domain.indexOf('.'))}`,
    `${local} @ ${domain} `.replace('@ ', '@ the '),
    'n/a',
    'ask at counter',
    `${local}.@${domain}`,
    `${local}@-${domain}`,
  ]);
}
