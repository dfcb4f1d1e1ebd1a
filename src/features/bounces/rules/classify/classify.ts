import { type BounceClass, type BounceKind, type Fault, kindOf, type Next } from '../kinds.ts';
import { basicCodes, clearCodes, groups, vagueCodes } from './codes.ts';
import { firstOf, type Phrases } from './phrases.ts';
import { recipientsPhrases } from './recipients-phrases.ts';
import { sendersPhrases } from './senders-phrases.ts';
import { vaguePhrases } from './vague-phrases.ts';

/** What a server has said about a message. */
export interface Reply {
  /** RFC 5321: `550`. Null in a report that names none. */
  code: number | null;
  /** RFC 3463: `5.1.1`. */
  enhanced: string | null;
  text: string;
  /**
   * What was asked for: the sender, the recipient, the beginning of the message, its end. `report`:
   * another server tells of it afterwards, in a bounce.
   */
  phase: 'sender' | 'recipient' | 'data' | 'message' | 'report';
}

export interface Verdict {
  class: BounceClass;
  kind: BounceKind;
  fault: Fault;
  /** What comes next for the message, while it is with us. */
  next: Next;
  /** Whether this alone puts the address on the suppression list. */
  suppresses: boolean;
  /** Whether it is one of the five in a row that do. */
  counts: boolean;
}

/** More than this no server writes, and a bounce may hold anything. */
const longestText = 2_000;

/** Says what a server means by refusing a message, whose doing it is, and what to do. */
export function classifyReply(said: Reply): Verdict {
  const reply = { ...said, enhanced: said.enhanced ?? codeInText(said) };
  const isForGood = permanence(reply);
  const found = refine(reply, kindOfReply(reply));
  const { class: usual, fault, waits = 60, slowsDomain = false, stops } = kindOf(found);
  const isHard = usual === 'hard' && isForGood;
  return {
    class: isHard ? 'hard' : 'soft',
    kind: found,
    fault,
    next:
      stops !== undefined && reply.phase !== 'report'
        ? { how: 'stop', isKept: stops === 'kept' }
        : isForGood
          ? nextOfRefusal(reply, found)
          : { how: 'retry', seconds: waits, slowsDomain },
    suppresses: isHard,
    counts: fault !== 'sender',
  };
}

/** Some servers write the code among their words: `sorry, no mailbox by that name (#5.1.1)`. */
const codeInText = ({ code, text }: Reply): string | null => {
  const found = /(?:^|[\s(#[])([45]\.\d{1,3}\.\d{1,3})(?!\w|\.\d)/.exec(text.slice(0, longestText))?.[1];
  return found !== undefined && (code === null || found.startsWith(String(code)[0] ?? '')) ? found : null;
};

/** A sender that a server does not take for good will not do for the others either. */
const nextOfRefusal = ({ phase }: Reply, kind: BounceKind): Next =>
  phase === 'sender' && kind !== 'unsupported' && kind !== 'too_large'
    ? { how: 'stop', isKept: true }
    : { how: 'fail' };

/**
 * Whether it is refused for good. The enhanced code of a report is what its writer made of it; the
 * reply that it quotes counts more.
 */
function permanence({ code, enhanced }: Reply): boolean {
  if (code !== null) return code >= 500;
  return enhanced?.startsWith('5') ?? false;
}

/**
 * What cannot be about the address: a server that refuses the sender has not looked at it, and a
 * policy (`x.7.x`) is about who sends. Nobody is suppressed for either.
 */
function refine({ phase, enhanced }: Reply, kind: BounceKind): BounceKind {
  if (kindOf(kind).fault !== 'address') return kind;
  if (phase === 'sender') return 'sender_refused';
  return enhanced?.split('.')[1] === '7' ? 'policy' : kind;
}

function kindOfReply({ code, enhanced, text, phase }: Reply): BounceKind {
  const words = wordsOf(code, enhanced, text);
  const status = enhanced?.slice(2) ?? '';
  return (
    firstOf(particularPhrases, words) ??
    firstOf(sendersPhrases, words) ??
    clearCodes[status] ??
    firstOf(recipientsPhrases, words) ??
    vagueCodes[status] ??
    firstOf(vaguePhrases, words) ??
    groups[status.split('.')[0] ?? ''] ??
    (code === 550 && phase === 'recipient' && text.trim() === '' ? 'no_such_user' : undefined) ??
    basicCodes[code ?? 0] ??
    'other'
  );
}

/** Servers that use a code for something else than others do. */
const particularPhrases: readonly Phrases[] = [
  [
    'no_such_user',
    [
      // Exchange Online: the directory of the tenant has no such address.
      /^550 5\.4\.1 (recipient address rejected: access denied|\[?@)/,
      /^550 5\.1\.10 .*(resolver|recipient)/,
      // Outlook.com, for a mailbox that is not there.
      /^550 5\.5\.0 requested action not taken: mailbox unavailable/,
    ],
  ],
  // What cannot be found just now is another matter than what is not there.
  ['dns', [/^4\d\d 4\.1\.2 /, /host not found,? try again/]],
];

/**
 * The reply in lower case and in one line. Addresses are left out: anybody may be called
 * `no-such-user@spam.example`.
 */
function wordsOf(code: number | null, enhanced: string | null, text: string): string {
  const words = text
    .slice(0, longestText)
    .toLowerCase()
    .replace(/[\w.!#$%&'*+/=?^`{|}~-]{1,64}@[\w.-]{1,255}/g, '@')
    // A reply of several lines repeats its codes: 550-5.1.1.
    .replace(/\s*\b[45]\d\d[- ]([45]\.\d{1,3}\.\d{1,3})\b/g, ' ')
    .replaceAll('’', "'")
    .replace(/\s+/g, ' ')
    .trim();
  return [code, enhanced, words].filter((part) => part !== null && part !== '').join(' ');
}
