/**
 * Which ending was probably meant. Suggests one only when a single reading is near, and knows
 * nothing about who owns what: the caller checks the result.
 */
import { isOneKeySlip } from './keyboard.ts';
import { once } from './lists.ts';

export const ukSecondLevels = ['co', 'org', 'ac', 'gov', 'nhs', 'me', 'ltd', 'plc', 'net', 'sch', 'police'];

const generic = ['com', 'net', 'org'];
/** Endings without their dots, `couk`, and what is left of the commonest. */
const glued = once(
  (): ReadonlyMap<string, string> =>
    new Map([
      ...ukSecondLevels.map((name): [string, string] => [`${name}uk`, `${name}.uk`]),
      ['cuk', 'co.uk'],
      ['ouk', 'co.uk'],
    ]),
);

/**
 * The ending meant by a last label that does not exist: `con`, `couk`, `ogr`, `ukk`; null in doubt.
 */
function meantBy(label: string): string | null {
  const exact = glued().get(label);
  if (exact !== undefined) return exact;
  if (label === 'u' || label === 'k') return 'uk';
  if (!/^[a-z]{2,7}$/.test(label)) return null;
  const near = [...generic, 'uk'].filter((ending) => isOneKeySlip(label, ending));
  if (near.length > 0) return near.length === 1 ? (near[0] as string) : null;
  // With the dot missing as well, it is the second slip.
  const further = new Set<string>();
  for (const [together, ending] of glued()) if (isOneKeySlip(label, together)) further.add(ending);
  if (further.has('co.uk')) return 'co.uk';
  return further.size === 1 ? ([...further][0] as string) : null;
}

/** `acme.co.m`, `acme.cou.k`, `acme.c.o.uk`: the last labels are an ending with dots misplaced. */
function withDotsInPlace(labels: readonly string[]): string | null {
  for (let count = 2; count <= 4 && count < labels.length; count++) {
    const together = labels.slice(-count).join('');
    const meant = generic.find((ending) => ending === together) ?? glued().get(together);
    const given = labels.slice(-count).join('.');
    if (meant !== undefined && meant !== given) return `${labels.slice(0, -count).join('.')}.${meant}`;
  }
  return null;
}

/**
 * The domain meant by one whose ending does not exist: `acme.couk` → `acme.co.uk`, `acme.co.u` →
 * `acme.co.uk`, `acme.con` → `acme.com`; null when nothing is obvious.
 */
export function suggestEnding(domain: string): string | null {
  const labels = domain.split('.');
  if (labels.length < 2) return null;
  const moved = withDotsInPlace(labels);
  if (moved !== null) return moved;
  const ending = labels[labels.length - 1] as string;
  const before = labels.slice(0, -1);
  const isBelow = before.length > 1 && ukSecondLevels.includes(before[before.length - 1] as string);
  const meant = isBelow && isNearUk(ending) ? 'uk' : meantBy(ending);
  return meant === null || meant === ending ? null : `${before.join('.')}.${meant}`;
}

/** After `.co.`, nearly any one or two letters mean `uk`. */
const isNearUk = (ending: string): boolean =>
  /^[uk]{1,3}$/.test(ending) ||
  isOneKeySlip(ending, 'uk') ||
  /^(?:u[a-z]|[a-z]k|uk[a-z]|[a-z]uk|u[a-z]k)$/.test(ending);

/** First labels of mail servers and departments, below a name that may be anybody's. */
const hosts = new Set(['mail', 'email', 'smtp', 'webmail', 'www', 'mx', 'staff', 'students', 'my', 'news']);
/** Words and names of bodies that are near a second level. */
const ownLabels = new Set(['orb', 'ore', 'go', 'ca', 'ent', 'nett', 'nus', 'ngs', 'gob', 'gos']);
/** Long or common enough that a wrong or missing letter leaves them readable. */
const readableLevels = new Set(['org', 'gov', 'nhs', 'police']);

/** Which second level of .uk `label` is a slip for; null when several are near, or none. */
function secondLevelMeant(label: string): string | null {
  if (label === 'com' || label === 'con') return 'co';
  if (ukSecondLevels.includes(label) || ownLabels.has(label)) return null;
  const near = ukSecondLevels.filter((level) => isOneKeySlip(label, level) && isReadable(label, level));
  return near.length === 1 ? (near[0] as string) : null;
}

/** Short labels are mostly names of their own: only slips that leave the word readable count. */
function isReadable(label: string, level: string): boolean {
  if (level === 'co' || label.length > level.length) return true;
  if (level.length === 2) return false;
  const isSwap = label.length === level.length && [...label].sort().join('') === [...level].sort().join('');
  return isSwap || (readableLevels.has(level) && !(level === 'nhs' && label.length < 3));
}

/** The domain meant by one with a slip in the level below .uk: `acme.ci.uk` → `acme.co.uk`. */
export function suggestSecondLevel(domain: string): string | null {
  if (!domain.endsWith('.uk')) return null;
  // Most domains end in .co.uk, so that is looked at without taking them apart.
  const start = domain.lastIndexOf('.', domain.length - 4);
  if (start < 0 || ukSecondLevels.includes(domain.slice(start + 1, -3))) return null;
  const labels = domain.split('.');
  if (labels.length < 3 || (labels.length === 3 && hosts.has(labels[0] as string))) return null;
  const meant = secondLevelMeant(labels[labels.length - 2] as string);
  return meant === null ? null : `${labels.slice(0, -2).join('.')}.${meant}.uk`;
}

/** The domain meant by one with `.com` after a British ending: `acme.co.uk.com` → `acme.co.uk`. */
export function withoutStrayCom(domain: string): string | null {
  if (!domain.endsWith('.uk.com')) return null;
  const labels = domain.split('.');
  const level = labels[labels.length - 3] as string;
  return labels.length > 3 && ukSecondLevels.includes(level) ? domain.slice(0, -4) : null;
}
