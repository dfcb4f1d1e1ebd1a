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
  'account.recovery_code_used': 'Signed in with a recovery code',
  'account.recovery_codes_renewed': 'New recovery codes made',
  'account.renamed': 'Own name changed',
  'account.session_ended': 'A session ended',
  'account.sessions_ended': 'Other sessions ended',
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

/** What a line adds, as `email: a@b.uk, from: viewer`. Nothing that says nothing. */
export function detailWords(details: Record<string, unknown>): string {
  return Object.entries(details)
    .filter(([, value]) => value !== null && value !== undefined && value !== '')
    .map(([name, value]) => `${plainName(name)}: ${plainValue(value)}`)
    .join(', ');
}

const plainName = (name: string): string =>
  name
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replace(/_/g, ' ')
    .toLowerCase();

function plainValue(value: unknown): string {
  if (Array.isArray(value)) return value.map(plainValue).join(' ');
  if (typeof value !== 'object' || value === null) return String(value);
  const { from, to } = value as Record<string, unknown>;
  if (from !== undefined && to !== undefined) return `${plainValue(from)} → ${plainValue(to)}`;
  return detailWords(value as Record<string, unknown>);
}

/** A CSV cell (RFC 4180). What a spreadsheet would run as a formula is made text. */
export function csvCell(value: string): string {
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
