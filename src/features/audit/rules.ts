import { formatDecimal, formatLongDay } from '#platform/shared/words.ts';

/** The audit log in words. Actions are `<what>.<verb in the past>`; each belongs to one area by its first word. */
export const auditAreas = [
  'people',
  'accounts',
  'keys',
  'contacts',
  'suppressions',
  'imports',
  'settings',
] as const;
export type AuditArea = (typeof auditAreas)[number];

/** What actions of an area begin with. */
export const areaActions: Record<AuditArea, readonly string[]> = {
  people: ['member', 'invitation', 'workspace', 'mail'],
  accounts: ['account'],
  keys: ['api_key'],
  contacts: ['contact', 'contacts', 'corrections', 'duplicates', 'view'],
  suppressions: ['suppression', 'suppressions', 'domain_suppression'],
  imports: ['import', 'imports'],
  settings: ['settings'],
};

export const areaWords: Record<AuditArea, string> = {
  people: 'People',
  accounts: 'Accounts',
  keys: 'API keys',
  contacts: 'Contacts',
  suppressions: 'Suppressions',
  imports: 'Imports',
  settings: 'Settings',
};

/** Where the plain reading of an action would not be what a person would say. */
const special: Record<string, string> = {
  'account.email_asked': 'Asked for another email address',
  'account.email_changed': 'Email address changed',
  'account.email_confirmed': 'Email address confirmed',
  'account.password_changed': 'Password changed',
  'account.password_reset': 'Password reset by mail',
  'account.provider_connected': 'Sign-in through the identity provider connected',
  'account.provider_disconnected': 'Sign-in through the identity provider disconnected',
  'account.recovery_code_used': 'Signed in with a recovery code',
  'account.recovery_codes_renewed': 'New recovery codes made',
  'account.renamed': 'Own name changed',
  'account.session_ended': 'A session ended',
  'account.sessions_ended': 'Other sessions ended',
  'account.signed_in_through_provider': 'Signed in through the identity provider',
  'account.two_factor_off': 'Two-factor sign-in turned off',
  'account.two_factor_on': 'Two-factor sign-in turned on',
  'api_key.created': 'API key made',
  'api_key.revoked': 'API key revoked',
  'import.undo': 'Import undone',
  'invitation.revoked': 'Invitation taken back',
  'mail.sent_again': 'Mail sent again',
  'member.left': 'Left the workspace',
  'member.role_changed': 'Role changed',
  'suppression.added': 'Address suppressed',
  'suppression.added_many': 'Addresses suppressed',
  'suppression.lifted': 'Suppression lifted',
  'domain_suppression.added': 'Domain suppressed',
  'workspace.created': 'Workspace made',
  'workspace.two_factor_optional': 'Two-factor sign-in no longer required',
  'workspace.two_factor_required': 'Two-factor sign-in required',
};

/** `contacts.cleaned` is "Contacts cleaned". */
export function actionWords(action: string): string {
  const words = special[action] ?? action.replace(/[._]+/g, ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

type Details = Record<string, unknown>;
/** What is said of a value; nothing where it goes without saying. */
type Said = (value: unknown, details: Details) => string | null;

/** "1,520 removed"; `always` where none is worth a word too. */
const counted =
  (words: string, { one = words, always = false }: { one?: string; always?: boolean } = {}): Said =>
  (value) => {
    if (typeof value !== 'number') return `${words}: ${plainValue(value)}`;
    return value === 0 && !always ? null : `${formatDecimal(value)} ${value === 1 ? one : words}`;
  };
const numbered =
  (what: string): Said =>
  (value) =>
    `${what} ${String(value)}`;
const only =
  (words: string, when = true): Said =>
  (value) =>
    value === when ? words : null;
const either =
  (yes: string, no: string): Said =>
  (value) =>
    typeof value === 'boolean' ? (value ? yes : no) : plainValue(value);

const named: Said = (value, { lifted }) =>
  counted(lifted === undefined ? 'contacts named one by one' : 'entries named one by one', {
    one: lifted === undefined ? 'contact named by itself' : 'entry named by itself',
  })(value, {});
const filter: Said = (value) => {
  const words = plainValue(value);
  return words === '' ? 'all, without a filter' : `filter: ${words}`;
};
/** Whom a verification was for: named ones, a filter, or (null) everybody. */
const selection: Said = (value, details) => {
  const { ids, filter: chosen } = (value ?? {}) as Details;
  if (Array.isArray(ids)) return named(ids.length, details);
  return chosen === undefined ? `selection: ${plainValue(value)}` : filter(chosen, details);
};
const end: Said = (value) => (value === 'failed' ? 'broken off' : plainValue(value));

/** What is known to be in the details of a line, in the order in which it is said: about whom, how much, why, of what. */
const known: Record<string, Said | undefined> = {
  email: undefined,
  name: undefined,
  domain: undefined,
  fileName: undefined,
  kept: undefined,
  merged: undefined,
  contacts: counted('contacts', { one: 'contact', always: true }),
  removed: counted('removed', { always: true }),
  restored: counted('brought back', { always: true }),
  lifted: counted('taken off', { always: true }),
  added: counted('added', { always: true }),
  corrected: counted('corrected', { always: true }),
  dismissed: counted('dismissed', { always: true }),
  affected: counted('contacts affected', { one: 'contact affected', always: true }),
  duplicates: counted('duplicate'),
  invalid: counted('invalid'),
  nonUk: counted('non-UK'),
  recognised: counted('recognised'),
  suppressed: counted('suppressed'),
  leftOut: counted('left out'),
  leftAsIs: counted('left as they are'),
  ended: counted('ended'),
  sessionsEnded: counted('sessions ended', { one: 'session ended' }),
  membersWithout: counted('members without it', { one: 'member without it' }),
  verdicts: undefined,
  end,
  brokenOff: only('broken off'),
  role: undefined,
  scopes: undefined,
  reason: undefined,
  why: undefined,
  note: undefined,
  named,
  filter,
  selection,
  checkSuppressions: only('whatever the suppression list says', false),
  dns: only('mail servers looked up'),
  shared: either('shared', 'private'),
  byAdministrator: only('by an administrator'),
  changes: undefined,
  removalId: numbered('removal'),
  importId: numbered('import'),
  mergeId: numbered('merge'),
  liftingId: numbered('lifting'),
};
const order = Object.keys(known);
/** Behind what is named above. */
const rank = (name: string): number => (order.includes(name) ? order.indexOf(name) : order.length);

/** What a line adds, as `1,520 removed, 592 non-UK, removal 2` or `email: a@b.uk`. Nothing that says nothing. */
export function detailWords(details: Details): string {
  const { from, to, ...rest } = details;
  const isChange = isSaid(from) && isSaid(to);
  const said = Object.entries(isChange ? rest : details)
    .filter(([, value]) => isSaid(value))
    .sort(([a], [b]) => rank(a) - rank(b) || (a < b ? -1 : 1))
    .flatMap(([name, value]) => {
      // A before and an after are told as such, whatever is said of the value alone.
      const say = isChangeOf(value) || !Object.hasOwn(known, name) ? undefined : known[name];
      const words = say ? say(value, details) : labelled(name, value);
      return words === null || words === '' ? [] : [words];
    });
  if (!isChange) return said.join(', ');
  const change = `${plainValue(from)} → ${plainValue(to)}`;
  return (isSaid(details.email) ? [...said.slice(0, 1), change, ...said.slice(1)] : [change, ...said]).join(
    ', ',
  );
}

const isSaid = (value: unknown): boolean => value !== null && value !== undefined && value !== '';
const isChangeOf = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'from' in value && 'to' in value;

function labelled(name: string, value: unknown): string | null {
  // A number that names something is no amount.
  const isName = /(^i|I)d$/.test(name) && typeof value === 'number';
  const words = isName ? String(value) : plainValue(value);
  return words === '' ? null : `${plainName(name)}: ${words}`;
}

const plainName = (name: string): string =>
  name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .split(/[\s_]+/)
    .map((word) => (/^[A-Z]{2,}$/.test(word) ? word : word.toLowerCase()))
    .join(' ')
    .replace(/\b(uk|dns|mx|url|ip|api|csv)\b/g, (word) => word.toUpperCase());

function plainValue(value: unknown): string {
  if (Array.isArray(value)) return value.map(plainValue).join(' ');
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'number') return formatDecimal(value);
  if (typeof value === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value)) return formatLongDay(value);
  if (typeof value !== 'object' || value === null) return String(value ?? 'none');
  if (isChangeOf(value)) {
    const { from, to } = value as Details;
    return `${plainValue(from)} → ${plainValue(to)}`;
  }
  return detailWords(value as Details);
}

/** What a line was done to, as a person would name it: `removal:2` is "removal 2". */
export const subjectWords = (subject: string): string =>
  /^[a-z_]+:\d+$/.test(subject) ? subject.replace('_', ' ').replace(':', ' ') : subject;

/** A CSV cell (RFC 4180). What a spreadsheet would run as a formula is made text. */
export function csvCell(value: string): string {
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
