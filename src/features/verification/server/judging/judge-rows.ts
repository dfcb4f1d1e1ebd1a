import { createJudge, type DomainEvidence, type Judgement, mailboxKey } from '#features/addresses/rules.ts';
import { idna } from '#features/addresses/server/thread.ts';
import type { EmailValidation } from '#features/settings/contract.ts';
import type { JudgedContacts, VerdictProfile } from '../verdict-queries.ts';

/**
 * Contacts as `readContacts` returns them: one per line, with tabs between id, key, state, address
 * and DNS answer.
 */
export interface ContactRows {
  firstId: number;
  lastId: number;
  count: number;
  text: string;
}

export interface JudgedRows extends JudgedContacts {
  /** How many contacts have each of `profiles`. */
  counts: number[];
}

export type JudgeSettings = Pick<EmailValidation, 'strictValidation' | 'allowedDomains'>;

/**
 * A further copy of a contact. It gets a verdict, but nobody is asked about it, because Clean
 * removes it.
 */
const copy = '2';

/**
 * Judges rows of contacts and puts the results into columns, as `writeVerdicts` takes them.
 * Remembers domains.
 */
export function createRowJudge(settings: JudgeSettings): (rows: ContactRows) => JudgedRows {
  const judge = createJudge({
    strict: settings.strictValidation,
    allowedDomains: settings.allowedDomains,
    idna,
  });
  return ({ firstId, lastId, text }) => {
    const places = new Map<string, number>();
    const profiles: VerdictProfile[] = [];
    const counts: number[] = [];
    const ids: string[] = [];
    const keys: string[] = [];
    const profileOf: number[] = [];
    const suggested = {
      ids: [] as string[],
      fromDomains: [] as string[],
      toDomains: [] as string[],
      toLocals: [] as string[],
    };
    const spelled = { ids: [] as string[], locals: [] as string[], domains: [] as string[] };
    for (const line of text === '' ? [] : text.split('\n')) {
      const [id = '', key = '', state, address = '', mail, via] = line.split('\t');
      const judged = judge(address, mail ? evidence(mail, via) : null);
      const profile = profileKey(judged);
      let place = places.get(profile);
      if (place === undefined) {
        place = profiles.push(profileOfJudgement(judged));
        places.set(profile, place);
        counts.push(0);
      }
      ids.push(id);
      keys.push(key);
      profileOf.push(place);
      counts[place - 1] = (counts[place - 1] ?? 0) + 1;
      if (state === copy) continue;
      if (judged.suggestion !== null) {
        const [local, domain] = halves(judged.suggestion);
        suggested.ids.push(id);
        suggested.fromDomains.push(literal(address.slice(address.lastIndexOf('@') + 1).toLowerCase()));
        suggested.toDomains.push(literal(domain));
        suggested.toLocals.push(literal(local));
      }
      if (judged.local === null || judged.domain === null) continue;
      const mailbox = mailboxKey(judged.local, judged.domain);
      if (
        mailbox.length === judged.local.length + judged.domain.length + 1 &&
        mailbox.endsWith(judged.domain)
      )
        continue;
      const [local, domain] = halves(mailbox);
      spelled.ids.push(id);
      spelled.locals.push(literal(local));
      spelled.domains.push(literal(domain));
    }
    return {
      firstId,
      lastId,
      ids: array(ids),
      keys: array(keys),
      profileOf: array(profileOf),
      profiles,
      counts,
      suggestions: {
        ids: array(suggested.ids),
        fromDomains: array(suggested.fromDomains),
        toDomains: array(suggested.toDomains),
        toLocals: array(suggested.toLocals),
      },
      mailboxes: { ids: array(spelled.ids), locals: array(spelled.locals), domains: array(spelled.domains) },
    };
  };
}

const evidence = (state: string, via: string | undefined): DomainEvidence => ({
  state: state as DomainEvidence['state'],
  via: via ? (via as DomainEvidence['via']) : null,
  checkedAt: '',
});

function profileKey({ verdict, reasons, risk, kind, uk }: Judgement): string {
  let codes = '';
  for (const { code } of reasons) codes += `${code} `;
  return `${verdict} ${risk} ${kind} ${uk} ${codes}`;
}

function profileOfJudgement({ verdict, reasons, risk, kind, uk }: Judgement): VerdictProfile {
  const codes = new Set(reasons.map(({ code }) => code));
  return { verdict, reasons: [...codes].sort(), risk, kind, uk };
}

function halves(address: string): [local: string, domain: string] {
  const at = address.lastIndexOf('@');
  return [address.slice(0, at).toLowerCase(), address.slice(at + 1).toLowerCase()];
}

/** An array in PostgreSQL's text form. */
const array = (items: readonly (string | number)[]): string => `{${items.join(',')}}`;

const plain = /^[a-z0-9.@_-]+$/;

/** An element of such an array. */
function literal(text: string): string {
  if (plain.test(text) && text !== 'null') return text;
  return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}
