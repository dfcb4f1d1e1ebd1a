import * as data from './list-data.ts';

/** A value made when it is first asked for, so that whoever imports one rule does not pay for every list. */
export function once<Value>(make: () => Value): () => Value {
  let made: { value: Value } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

const words = (text: string): string[] => text.split('\n').filter((word) => word !== '');
const asSet = (text: string) => once((): ReadonlySet<string> => new Set(words(text)));

export const disposableDomains = asSet(data.disposableDomains);
export const mailboxDomains = asSet(data.mailboxDomains);
export const workDomains = asSet(data.workDomains);
export const neighbourDomains = asSet(data.neighbourDomains);
export const generalRoles = asSet(data.generalRoles);
export const technicalRoles = asSet(data.technicalRoles);
export const roleWords = asSet(data.roleWords);
export const placeholderLocals = asSet(data.placeholderLocals);
export const placeholderDomains = asSet(data.placeholderDomains);
export const fillers = asSet(data.fillers);

export type PublicBody = 'government' | 'nhs' | 'police' | 'academic';

/** The kind of public body by its ending. */
export const publicBodies = once((): ReadonlyMap<string, PublicBody> => {
  const lines = words(data.publicBodies).map((line) => line.split(' '));
  return new Map(lines.map(([kind, domain]): [string, PublicBody] => [domain as string, kind as PublicBody]));
});

export interface TypoTarget {
  name: string;
  /** Only slips in the ending are mended: the name itself is too near to other words. */
  isExact: boolean;
  /** Towards which a slip in the ending is mended, commonest first. */
  endings: readonly string[];
  /** Other real domains of this name. */
  otherEndings: readonly string[];
}

/** Commonest first. */
export const typoTargets = once((): readonly TypoTarget[] =>
  words(data.typoTargets).map((line) => {
    const [usual = '', others = ''] = line.split(' | ');
    const [mark = '', ...endings] = usual.split(' ');
    const isExact = mark.startsWith('=');
    return {
      name: isExact ? mark.slice(1) : mark,
      isExact,
      endings,
      otherEndings: others === '' ? [] : others.split(' '),
    };
  }),
);

/** Whether `domain` or one of its parents is in the list. */
export function isListed(list: { has(domain: string): boolean }, domain: string): boolean {
  if (list.has(domain)) return true;
  for (let dot = domain.indexOf('.'); dot >= 0; dot = domain.indexOf('.', dot + 1)) {
    if (list.has(domain.slice(dot + 1))) return true;
  }
  return false;
}
