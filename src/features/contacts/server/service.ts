import { recordActivity } from '#features/activities/server/index.ts';
import {
  type AddressParser,
  createAddressParser,
  type DeadDomain,
  describeDeadDomain,
  invalidEmailMessage,
} from '#features/addresses/rules.ts';
import { idna } from '#features/addresses/server/index.ts';
import { recordAudit } from '#features/audit/server/index.ts';
import { readSettings } from '#features/settings/server/index.ts';
import { type Database, sqlState, type TenantTx } from '#platform/server/database.ts';
import { AppError } from '#platform/shared/errors.ts';
import type { Contact, ContactFilter, ContactSelection } from '../contract.ts';
import { fieldNames, percentChange, presentContact } from '../rules.ts';
import {
  hasHashedSuppressions,
  insertContact,
  selectContacts,
  selectSuppression,
  suppressHashed,
} from './contact-queries.ts';
import { type ExportChoice, type ExportFile, openExport } from './export.ts';
import { type Fragment, idsOf } from './filter-queries.ts';
import { selectFieldNames, selectSources } from './origin-queries.ts';
import { hasId, moveToBin, namedContacts } from './removal-queries.ts';
import type { JudgeContacts } from './restores.ts';
import { countOne } from './rollup-queries.ts';
import { filterFor, findAll, plainConditionFor } from './search.ts';
import { selectCounts, selectHistory } from './stats-queries.ts';

const thousands = new Intl.NumberFormat('en-GB');
const contactsInWords = (count: number) =>
  count === 1 ? '1 contact' : `${thousands.format(count)} contacts`;

/** Who changes something, for the audit log. */
export interface Actor {
  workspaceId: number;
  email: string;
}

const stored = (tx: TenantTx, workspaceId: number, filter: ContactFilter) =>
  filterFor(tx, workspaceId, filter, idna.toAscii);

export async function findContact(tx: TenantTx, workspaceId: number, id: number): Promise<Contact> {
  const [contact] = await selectContacts(tx, workspaceId, [id]);
  if (!contact) throw notFound();
  return presentContact(contact);
}

/** As many as somebody may want to choose from. */
const mostSources = 200;

export async function listSources(
  tx: TenantTx,
  workspaceId: number,
): Promise<{ items: string[]; isAll: boolean }> {
  const sources = await selectSources(tx, workspaceId, mostSources + 1);
  return { items: sources.slice(0, mostSources), isAll: sources.length <= mostSources };
}

/** As many as a file may have columns that somebody would want to look at. */
const mostFields = 200;

/** The extra fields that contacts came with, and those that the settings name for the next import. */
export async function listFields(tx: TenantTx, workspaceId: number): Promise<{ items: string[] }> {
  const found = await selectFieldNames(tx, workspaceId, mostFields);
  const { allowedColumns } = (await readSettings(tx, workspaceId)).import;
  return { items: fieldNames(found, allowedColumns).slice(0, mostFields) };
}

const notFound = () => new AppError('not_found', 'This contact is not there any more. Reload the list.');

// Two parsers for all workspaces: strictness is their only setting, and each remembers the domains it has judged.
const parsers = new Map<boolean, AddressParser>();
function parserFor(strict: boolean): AddressParser {
  const parser = parsers.get(strict) ?? createAddressParser({ ...idna, strict, cacheSlots: 2 ** 12 });
  parsers.set(strict, parser);
  return parser;
}

/** Why no mail can be sent to a domain; null when it can, and when nobody answers in time. */
export type WhyDead = (domain: string) => Promise<DeadDomain | null>;

/**
 * Refuses an address whose domain takes no mail, as an import leaves out such rows: where the workspace checks mail servers, and never
 * because nobody answered. Throws `invalid_input`.
 */
export async function refuseDeadDomain(
  db: Database,
  workspaceId: number,
  email: string,
  whyDead: WhyDead,
): Promise<void> {
  const { emailValidation } = await db.asTenant(workspaceId, (tx) => readSettings(tx, workspaceId));
  if (!emailValidation.checkMXRecords) return;
  const parsed = parserFor(emailValidation.strictValidation).parse(email);
  const reason = parsed.ok ? await whyDead(parsed.domain) : null;
  if (!parsed.ok || reason === null) return;
  const message = `${describeDeadDomain(reason)}: ${parsed.domain}. Check the spelling. To add it all the same, turn off “Check MX records” in Settings.`;
  throw new AppError('invalid_input', message, { fields: { email: message } });
}

/** How long adding waits for another transaction, such as an import, that is adding the same address. */
const patienceMs = 10_000;

/** Adds one address by hand. Throws `invalid_input`, `conflict` (suppressed) or `already_exists`. */
export async function addOne(
  tx: TenantTx,
  actor: Actor,
  given: { email: string; notes?: string | null | undefined; checkSuppressions: boolean },
  judge?: JudgeContacts,
): Promise<Contact> {
  const { workspaceId } = actor;
  const { emailValidation } = await readSettings(tx, workspaceId);
  const parsed = parserFor(emailValidation.strictValidation).parse(given.email);
  if (!parsed.ok) {
    throw new AppError('invalid_input', invalidEmailMessage, { fields: { email: invalidEmailMessage } });
  }
  if (given.checkSuppressions) await refuseSuppressed(tx, workspaceId, parsed);
  const { address, local, domain } = parsed;
  const id = await insertPatiently(tx, workspaceId, {
    local,
    domain,
    address: address === `${local}@${domain}` ? null : address,
    notes: given.notes || null,
  });
  if (id === null) {
    throw new AppError('already_exists', `${local}@${domain} is already in the database.`, {
      fields: { email: 'This address is already in the database.' },
    });
  }
  // Before the figures: whoever writes verdicts takes their lock before that of the rollups.
  await judge?.(tx, workspaceId, [id]);
  const hashed = await suppressHashed(tx, workspaceId, id);
  await countOne(tx, workspaceId, { local, domain });
  if (!hashed && (await hasHashedSuppressions(tx, workspaceId))) {
    throw new AppError('conflict', 'A suppression list came in at this very moment. Try again.');
  }
  await recordAudit(tx, workspaceId, {
    actor: actor.email,
    action: 'contact.added',
    subject: `contact:${id}`,
    details: { email: address, checkSuppressions: given.checkSuppressions },
  });
  await recordActivity(tx, workspaceId, {
    action: 'Email Added',
    details: address,
    status: 'completed',
    icon: 'user-plus',
    iconColor: 'success',
    actor: actor.email,
  });
  return findContact(tx, workspaceId, id);
}

const reasonWords: Record<string, string> = {
  manual: 'somebody put it there by hand',
  unsubscribed: 'the recipient unsubscribed',
  bounced: 'mail to it bounced',
  complained: 'the recipient reported mail as spam',
  erased: 'the person asked to be erased',
  imported: 'it was imported to the list',
};

async function refuseSuppressed(
  tx: TenantTx,
  workspaceId: number,
  key: { local: string; domain: string },
): Promise<void> {
  const entry = await selectSuppression(tx, workspaceId, key);
  if (!entry) return;
  const why =
    'domain' in entry
      ? `the domain ${entry.domain} is suppressed`
      : (reasonWords[entry.reason] ?? entry.reason);
  const message = `This address is on the suppression list: ${why}. To add it all the same, take it off the list under Suppressions, or untick the suppression check; it is then kept as suppressed and never mailed.`;
  throw new AppError('conflict', message, { fields: { email: message } });
}

async function insertPatiently(
  tx: TenantTx,
  workspaceId: number,
  contact: Parameters<typeof insertContact>[2],
): Promise<number | null> {
  try {
    return await insertContact(tx, workspaceId, contact, patienceMs);
  } catch (error) {
    if (sqlState(error) !== '55P03') throw error; // lock_not_available
    throw new AppError(
      'conflict',
      'An import is adding this address at this moment. Try again when it has finished.',
      {
        cause: error,
      },
    );
  }
}

export async function removeOne(
  tx: TenantTx,
  actor: Actor,
  id: number,
): Promise<{ removed: number; removalId: number }> {
  const { workspaceId } = actor;
  const contact = await findContact(tx, workspaceId, id);
  const removal = await moveToBin(tx, workspaceId, hasId([id]), {
    kind: 'delete',
    removedBy: actor.email,
  });
  if (!removal) throw notFound();
  await recordAudit(tx, workspaceId, {
    actor: actor.email,
    action: 'contact.removed',
    subject: `contact:${id}`,
    details: { email: contact.address, removalId: removal.id },
  });
  await recordActivity(tx, workspaceId, {
    action: 'Email Deleted',
    details: contact.address,
    status: 'completed',
    icon: 'trash',
    iconColor: 'error',
    actor: actor.email,
  });
  return { removed: 1, removalId: removal.id };
}

/** The ids of the contacts that a selection holds, as a fragment: for other features that act on them as a set. */
export async function selectedContacts(
  tx: TenantTx,
  workspaceId: number,
  selection: ContactSelection,
): Promise<Fragment> {
  if ('ids' in selection) return namedContacts(workspaceId, selection.ids);
  return idsOf(await findAll(tx, workspaceId, await stored(tx, workspaceId, selection.filter)));
}

/** True for the contacts `c` that a selection holds; for other features that read them one after the other. */
export async function conditionOf(
  tx: TenantTx,
  workspaceId: number,
  selection: ContactSelection,
): Promise<Fragment> {
  if ('ids' in selection) return hasId(selection.ids);
  return plainConditionFor(tx, workspaceId, await stored(tx, workspaceId, selection.filter));
}

const historyDays = 30;

export async function readStats(tx: TenantTx, workspaceId: number) {
  const counts = await selectCounts(tx, workspaceId);
  const days = await selectHistory(tx, workspaceId, historyDays);
  return {
    validEmails: counts.active,
    validEmailsChange: percentChange(counts.activeBeforeImport, counts.active),
    suppressedEmails: counts.suppressed,
    invalidEmails: counts.invalid,
    duplicateEmails: counts.duplicate,
    uniqueDomains: counts.domains,
    totalEmails: counts.active + counts.suppressed + counts.invalid + counts.duplicate,
    history: {
      days: days.map((day) => day.day),
      valid: days.map((day) => day.active),
      suppressed: days.map((day) => day.suppressed),
      invalid: days.map((day) => day.invalid),
      domains: days.map((day) => day.domains),
    },
  };
}

/** Begins an export and writes down who took how much; see `openExport`. */
export async function exportSelected(
  db: Database,
  actor: Actor,
  selection: ContactSelection,
  choice: ExportChoice,
): Promise<ExportFile> {
  const { workspaceId } = actor;
  const file = await openExport(db, workspaceId, selection, { ...choice, now: new Date() });
  try {
    await db.asTenant(workspaceId, async (tx) => {
      await recordAudit(tx, workspaceId, {
        actor: actor.email,
        action: 'contacts.exported',
        subject: 'contacts',
        details: {
          contacts: file.contacts,
          fileName: file.fileName,
          ...(choice.include ? { include: choice.include } : {}),
          ...('ids' in selection ? { named: selection.ids.length } : { filter: selection.filter }),
        },
      });
      await recordActivity(tx, workspaceId, {
        action: 'Export',
        details: `${contactsInWords(file.contacts)} as ${file.fileName}`,
        status: 'completed',
        icon: 'download',
        iconColor: 'primary',
        actor: actor.email,
      });
    });
  } catch (error) {
    file.bytes.destroy();
    throw error;
  }
  return file;
}
