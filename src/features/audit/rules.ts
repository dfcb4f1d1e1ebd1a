import { type AuditWords, type DetailWords, once, type Said } from '#platform/shared/feature-words.ts';
import { formatDecimal, formatLongDay } from '#platform/shared/words.ts';

type Details = Readonly<Record<string, unknown>>;

/** The audit log in words. */
export interface AuditLanguage {
  /** The areas in their order, with the first words of their actions. */
  areas: readonly { name: string; label: string; kinds: readonly string[] }[];
  /** `contacts.cleaned` is "Contacts cleaned". */
  actionWords(action: string): string;
  /**
   * What a line adds, such as `1,520 removed, 592 non-UK, removal 2` or `email: a@b.uk`. Empty
   * values are left out.
   */
  detailWords(details: Details): string;
}

/** Combines what features declare. Throws when two declare the same, or when a kind has no area. */
export function auditLanguage(declared: readonly (AuditWords | undefined)[]): AuditLanguage {
  const all = declared.flatMap((one) => one ?? []);
  const special = new Map(once(all.map(({ actions }) => actions)));
  const known = new Map(once([general, ...all.map(({ details }) => details)]));
  return {
    areas: areasOf(all),
    actionWords(action) {
      const words = special.get(action) ?? action.replace(/[._]+/g, ' ');
      return words.charAt(0).toUpperCase() + words.slice(1);
    },
    detailWords: (details) => detailWords(known, details),
  };
}

function areasOf(all: readonly AuditWords[]): AuditLanguage['areas'] {
  const areas = once(all.map(({ areas }) => areas))
    .sort(([, one], [, other]) => one.order - other.order)
    .map(([name, { label }]) => ({ name, label, kinds: [] as string[] }));
  const taken = new Set<string>();
  for (const [name, kinds] of all.flatMap(({ kinds = {} }) => Object.entries(kinds))) {
    const area = areas.find((one) => one.name === name);
    if (!area) throw new RangeError(`No feature declares the area ${name} of the audit log.`);
    for (const kind of kinds) {
      if (taken.has(kind)) throw new RangeError(`Actions ${kind}.… are declared twice.`);
      taken.add(kind);
      area.kinds.push(kind);
    }
  }
  return areas;
}

/** "1,520 removed". `always` also mentions zero. */
export const counted =
  (words: string, { one = words, always = false }: { one?: string; always?: boolean } = {}): Said =>
  (value, _details, plain) => {
    if (typeof value !== 'number') return `${words}: ${plain(value)}`;
    return value === 0 && !always ? null : `${formatDecimal(value)} ${value === 1 ? one : words}`;
  };
/** "removal 12". */
export const numbered =
  (what: string): Said =>
  (value) =>
    `${what} ${String(value)}`;
/** Words for one value, and none for any other. */
export const only =
  (words: string, when = true): Said =>
  (value) =>
    value === when ? words : null;
export const either =
  (yes: string, no: string): Said =>
  (value, _details, plain) =>
    typeof value === 'boolean' ? (value ? yes : no) : plain(value);

/** Details that lines of any feature may have. */
const general: Readonly<Record<string, DetailWords>> = {
  email: { order: 0 },
  name: { order: 2 },
  domain: { order: 4 },
  fileName: { order: 6 },
  contacts: { order: 100, say: counted('contacts', { one: 'contact', always: true }) },
  removed: { order: 102, say: counted('removed', { always: true }) },
  added: { order: 108, say: counted('added', { always: true }) },
  suppressed: { order: 124, say: counted('suppressed') },
  leftOut: { order: 126, say: counted('left out') },
  end: { order: 140, say: (value, _details, plain) => (value === 'failed' ? 'broken off' : plain(value)) },
  brokenOff: { order: 142, say: only('broken off') },
  reason: { order: 204 },
  why: { order: 206 },
  note: { order: 208 },
  changes: { order: 224 },
};

/** After everything that is declared. */
const last = Number.MAX_SAFE_INTEGER;

type Known = ReadonlyMap<string, DetailWords>;

function detailWords(known: Known, details: Details): string {
  const plain = (value: unknown) => plainValue(known, value);
  const { from, to, ...rest } = details;
  const isChange = isSaid(from) && isSaid(to);
  const rank = (name: string) => known.get(name)?.order ?? last;
  const said = Object.entries(isChange ? rest : details)
    .filter(([, value]) => isSaid(value))
    .sort(([a], [b]) => rank(a) - rank(b) || (a < b ? -1 : 1))
    .flatMap(([name, value]) => {
      // A change always shows its old and new value, whatever words the value alone has.
      const say = isChangeOf(value) ? undefined : known.get(name)?.say;
      const words = say ? say(value, details, plain) : labelled(name, value, plain);
      return words === null || words === '' ? [] : [words];
    });
  if (!isChange) return said.join(', ');
  const change = `${plain(from)} → ${plain(to)}`;
  return (isSaid(details.email) ? [...said.slice(0, 1), change, ...said.slice(1)] : [change, ...said]).join(
    ', ',
  );
}

const isSaid = (value: unknown): boolean => value !== null && value !== undefined && value !== '';
const isChangeOf = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'from' in value && 'to' in value;

function labelled(name: string, value: unknown, plain: (value: unknown) => string): string | null {
  // A number that names something is not an amount.
  const isName = /(^i|I)d$/.test(name) && typeof value === 'number';
  const words = isName ? String(value) : plain(value);
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

/** A value as it is. A record is read name by name. */
function plainValue(known: Known, value: unknown): string {
  const plain = (inner: unknown) => plainValue(known, inner);
  if (Array.isArray(value)) return value.map(plain).join(' ');
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'number') return formatDecimal(value);
  if (typeof value === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value)) return formatLongDay(value);
  if (typeof value !== 'object' || value === null) return String(value ?? 'none');
  if (isChangeOf(value)) {
    const { from, to } = value as Details;
    return `${plain(from)} → ${plain(to)}`;
  }
  return detailWords(known, value as Details);
}

/** What a line is about, in a person's words: `removal:2` is "removal 2". */
export const subjectWords = (subject: string): string =>
  /^[a-z_]+:\d+$/.test(subject) ? subject.replace('_', ' ').replace(':', ' ') : subject;
