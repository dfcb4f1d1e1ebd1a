import { listContacts } from '#features/audience/contract.ts';
import { cleanContacts, cleanReasons } from '#features/bin/contract.ts';
import { addContact } from '#features/contacts/contract.ts';
import { type ImportOptions, importFile, listImports } from '#features/imports/contract.ts';
import { getStats } from '#features/rollups/contract.ts';
import { changeSettings } from '#features/settings/contract.ts';
import {
  listDomainSuppressions,
  listEmailSuppressions,
  suppressAddress,
  suppressContact,
  suppressContacts,
  suppressDomain,
} from '#features/suppressions/contract.ts';
import { renameWorkspace } from '#features/team/contract.ts';
import { formatNumber } from '#platform/shared/words.ts';
import { type Client, Refused } from './client.ts';
import { contactFile, tillFile } from './files.ts';
import { makeGroups } from './groups.ts';
import { type Person, randomFrom, somebody } from './people.ts';
import { makeTemplates } from './templates.ts';

export const demoUser = {
  name: 'Hannah Pine',
  email: 'demo@harbourandpine.co.uk',
  password: 'harbour-and-pine',
};

type Say = (sentence: string) => void;

/** The last file. If it is there, so are all contacts. */
const lastFile = 'old-till-export.csv';

/**
 * Fills the signed-in person's workspace with the history of a small firm's list. Every step first
 * checks whether it was done, so that a later run can finish an interrupted one. Returns false when
 * there was nothing to do.
 */
export async function fillWorkspace(client: Client, say: Say): Promise<boolean> {
  const someContacts = await bringContacts(client, say);
  const someGroups = await makeGroups(client);
  const someTemplates = await makeTemplates(client);
  return someContacts || someGroups || someTemplates;
}

async function bringContacts(client: Client, say: Say): Promise<boolean> {
  const done = await importedFiles(client);
  if (done.has(lastFile)) return false;
  await nameWorkspace(client);
  await client.call(changeSettings, { body: { emailValidation: { ukPolicy: 'likely' } } });
  const refusers = await suppressRefusers(client);
  await importFiles(client, { done, refusers, say });
  await addByHand(client);
  await suppressOneDomain(client, 'northmoor.gov.uk');
  await bring(client, { done, say, fileName: lastFile, options: careful, content: tillFile() });
  const { totalEmails, uniqueDomains } = await client.call(getStats);
  say(`${formatNumber(totalEmails)} contacts at ${formatNumber(uniqueDomains)} domains`);
  return true;
}

async function nameWorkspace(client: Client): Promise<void> {
  await client.call(renameWorkspace, { body: { name: 'Harbour & Pine' } });
}

/**
 * People who asked not to be mailed, suppressed before there is a single contact: the list works
 * without contacts.
 */
async function suppressRefusers(client: Client): Promise<string[]> {
  const random = randomFrom(3);
  const addresses = Array.from({ length: 60 }, () => somebody(random).email);
  const { totalCount } = await client.call(listEmailSuppressions, { query: { limit: 1 } });
  for (const email of totalCount > 0 ? [] : addresses) {
    await client.call(suppressAddress, { body: { email, note: 'Asked at the counter' } });
  }
  return addresses;
}

async function suppressOneDomain(client: Client, domain: string): Promise<void> {
  const { items } = await client.call(listDomainSuppressions, { query: { search: domain, limit: 1 } });
  if (items.length === 0) await client.call(suppressDomain, { body: { domain } });
}

async function importedFiles(client: Client): Promise<Set<string>> {
  const { items } = await client.call(listImports, { query: { limit: 200 } });
  return new Set(items.map(({ fileName }) => fileName));
}

const careful: ImportOptions = {
  removeDuplicates: true,
  validateEmails: true,
  filterNonUk: true,
  checkSuppressions: true,
};
/**
 * What somebody in a hurry would choose: everything gets imported, so a clean has something to do.
 */
const hasty: ImportOptions = {
  ...careful,
  removeDuplicates: false,
  validateEmails: false,
  filterNonUk: false,
};

interface Bring {
  done: Set<string>;
  say: Say;
  fileName: string;
  options: ImportOptions;
  content: string;
}

/** Imports a file unless that was done before. Returns whether it was imported now. */
async function bring(client: Client, { done, say, fileName, options, content }: Bring): Promise<boolean> {
  if (done.has(fileName)) return false;
  try {
    await client.upload(importFile.path, { options: JSON.stringify(options) }, fileName, content);
    say(`imported ${fileName}`);
  } catch (error) {
    // Two of the files are not contact files. The product says so and keeps a record.
    if (!(error instanceof Refused) || error.status !== 400) throw error;
    say(`${fileName} was refused: ${error.message}`);
  }
  return true;
}

async function importFiles(
  client: Client,
  { done, say, refusers }: { done: Set<string>; say: Say; refusers: readonly string[] },
): Promise<void> {
  const known: Person[] = [];
  const into = (fileName: string, options: ImportOptions, content: string) =>
    bring(client, { done, say, fileName, options, content });
  const file = (order: Omit<Parameters<typeof contactFile>[0], 'known' | 'suppressed'>) =>
    contactFile({ ...order, known, suppressed: refusers });

  const crm = file({
    seed: 11,
    rows: 10_200,
    shares: { duplicates: 0.04, invalid: 0.05, nonUk: 0.06, suppressed: 0.005 },
    sources: ['shop', 'phone', 'trade counter'],
    years: [2019, 2024],
  });
  if (await into('crm-export-2025.csv', hasty, crm)) {
    // All reasons: whoever imports in a hurry lets people in, and cleans them away later.
    await client.call(cleanContacts, { query: { reasons: cleanReasons.join(',') } });
    await suppressFamily(client, 'penhaligon');
    await suppressOneDomain(client, 'ntlworld.com');
  }
  const signUps = file({
    seed: 12,
    rows: 5600,
    shares: { duplicates: 0.11, invalid: 0.03, nonUk: 0.09, suppressed: 0.01 },
    sources: ['website', 'newsletter form'],
    years: [2024, 2025],
  });
  await into('website-signups.csv', careful, signUps);
  await into('agency-leads.xlsx', careful, 'PK\u0003\u0004\u0014\u0000\u0006\u0000 [Content_Types].xml');
  const suppliers = file({
    seed: 13,
    rows: 2600,
    shares: { duplicates: 0.05, invalid: 0.07, nonUk: 0.02, suppressed: 0.01 },
    sources: ['supplier'],
    years: [2023, 2025],
  });
  await into(
    'supplier-contacts.csv',
    { ...careful, removeDuplicates: false, validateEmails: false },
    suppliers,
  );
  const show = file({
    seed: 14,
    rows: 12_800,
    shares: { duplicates: 0.088, invalid: 0.026, nonUk: 0.061, suppressed: 0.003 },
    sources: ['stand B14', 'prize draw', 'seminar'],
    years: [2026, 2026],
  });
  await into('trade-show-2026.csv', careful, show);
}

/** Everybody found under a name unsubscribes at once. */
async function suppressFamily(client: Client, search: string): Promise<void> {
  const { emails } = await client.call(listContacts, { query: { search, limit: 120 } });
  await client.call(suppressContacts, { body: { ids: emails.map(({ id }) => id) } });
}

/** The newest contacts. One of them is suppressed at once. */
async function addByHand(client: Client): Promise<void> {
  const add = async (email: string, notes: string) => {
    try {
      return await client.call(addContact, { body: { email, notes } });
    } catch (error) {
      if (error instanceof Refused && error.status === 409) return undefined;
      throw error;
    }
  };
  await add('orders@dalesdairy.co.uk', 'Orders go here, invoices to accounts@');
  await add('eilidh.macrae@stravaigcraft.scot', 'Met at the Inverness craft fair');
  const saddler = await add('pritchardsaddlery@btinternet.com', 'Rang to say no more emails');
  if (saddler) await client.call(suppressContact, { body: { emailId: saddler.id } });
  await add('tom.ashdown@bramleyjoinery.co.uk', 'Wants the spring price list');
  await add('priya.nair@harrowgatefoods.co.uk', 'Buyer for the farm shops');
}
