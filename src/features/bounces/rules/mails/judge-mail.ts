import { classifyReply, type Reply, type Verdict } from '../classify/classify.ts';
import { fieldGroups, type ReturnedMail } from './mail.ts';

/** What a mail to a return address says of the message. */
export type MailVerdict =
  | { is: 'bounce'; verdict: Verdict; said: string }
  | { is: 'complaint'; said: string }
  /** Nothing of it: a report of delay or success, an answer of a machine, a challenge. */
  | { is: 'no_bounce' }
  /** Somebody has to read it. */
  | { is: 'unclear' };

/** More of a text than any report needs. */
const mostText = 20_000;

export function judgeMail(mail: ReturnedMail): MailVerdict {
  if (mail.feedbackReport !== null) return judgeFeedback(mail.feedbackReport);
  if (mail.deliveryStatus !== null) return judgeStatus(mail.deliveryStatus, mail);
  if (isFromMailServer(mail)) return judgeText(mail);
  return isAnsweredByMachine(mail) || isChallenge(mail) ? { is: 'no_bounce' } : { is: 'unclear' };
}

function judgeFeedback(report: string): MailVerdict {
  const [fields = {}] = fieldGroups(report);
  const type = fields['feedback-type']?.toLowerCase() ?? '';
  if (/^(abuse|fraud|virus|opt-out|opt-out-list)$/.test(type)) {
    const teller = fields['reporting-mta'] ?? fields['user-agent'];
    return { is: 'complaint', said: teller ? `${type}, reported by ${teller}` : type };
  }
  // The mail was no spam after all, or DKIM failed somewhere (RFC 6591).
  return /^(not-spam|auth-failure)$/.test(type) ? { is: 'no_bounce' } : { is: 'unclear' };
}

function judgeStatus(status: string, mail: ReturnedMail): MailVerdict {
  const recipients = fieldGroups(status).filter((group) => 'action' in group);
  const failed = recipients.find(({ action }) => action?.toLowerCase() === 'failed');
  if (!failed) return recipients.length > 0 ? { is: 'no_bounce' } : judgeText(mail);
  const enhanced = /[245]\.\d{1,3}\.\d{1,3}/.exec(failed.status ?? '')?.[0] ?? null;
  // `smtp; 550 5.1.1 …`, or with a type of its own: `x-postfix; unknown user`.
  const said = (failed['diagnostic-code'] ?? '').replace(/^[\w.-]{1,40};\s*/, '');
  if (said === '') {
    const judged = judgeText(mail);
    if (judged.is === 'bounce') return judged;
    if (enhanced === null) return { is: 'unclear' };
  }
  const reply = { ...replyOf(said), phase: 'report' as const };
  const verdict = classifyReply({ ...reply, enhanced: reply.enhanced ?? enhanced });
  return { is: 'bounce', verdict, said: said || `Status ${enhanced}` };
}

/** `550 5.1.1 no such user`: the codes and the words after them. */
export function replyOf(said: string): Omit<Reply, 'phase'> {
  const found = /^\s*(?:([45]\d\d)[ -]?)?\s*(?:#?([45]\.\d{1,3}\.\d{1,3})\b)?([\s\S]*)$/.exec(said);
  const [, code, enhanced, text = said] = found ?? [];
  return { code: code === undefined ? null : Number(code), enhanced: enhanced ?? null, text };
}

/** A report of a server that writes none for programs: what it quotes of the other one. */
function judgeText({ text }: ReturnedMail): MailVerdict {
  const words = text.slice(0, mostText).replace(/\r\n?/g, '\n');
  const found =
    /(?:^|[\s(#:<"'])((?:[45]\d\d[ -]{1,3}(?:#?[45]\.\d{1,3}\.\d{1,3}\b)?|#?[45]\.\d{1,3}\.\d{1,3}\b))/.exec(
      words,
    );
  if (!found) return { is: 'unclear' };
  const at = found.index + found[0].indexOf(found[1] as string);
  // A sentence may stand before its code: `Sorry, no mailbox here by that name. (#5.1.1)`.
  const line = words.lastIndexOf('\n', at) + 1;
  const quoted = words.slice(at).split(/\n\s*\n/)[0] ?? '';
  const said = `${quoted.replace(/\s+/g, ' ').trim()}`.slice(0, 500);
  const before = words.slice(line, at).trim();
  const reply = replyOf(said.replace(/^#/, ''));
  const verdict = classifyReply({ ...reply, text: `${before} ${reply.text}`.trim(), phase: 'report' });
  if (verdict.kind === 'other') return { is: 'unclear' };
  return { is: 'bounce', verdict, said: `${before} ${said}`.trim().slice(0, 500) };
}

const serverNames =
  /^(mailer-daemon|mail-daemon|postmaster|mail delivery (sub)?system|mailer daemon|mdaemon|double-bounce)$/i;
const serverSubjects =
  /undeliver|not delivered|could ?n.t be delivered|could not be delivered|delivery (status|failure|has failed|failed|error|report|problem)|returned mail|mail (delivery|system) (failed|failure|error)|failure (notice|notification)|message you sent|returning message to sender|unzustellbar|non remis/i;

function isFromMailServer({ from, subject }: ReturnedMail): boolean {
  const local = from.slice(0, Math.max(from.lastIndexOf('@'), 0));
  return (
    serverNames.test(local) || (from === '' && serverSubjects.test(subject)) || serverSubjects.test(subject)
  );
}

const machineSubjects =
  /^(re: |aw: )?(auto(matic|mated)?[- ]?(reply|response|answer|antwort)|out of (the )?office|away from (the |my )?(office|desk|email)|on (annual |maternity |paternity |parental )?(leave|holiday|vacation)|annual leave|vacation|holiday|abwesenheit|réponse automatique|thank you for (your|contacting)|we have received|ticket|\[?(case|ticket) ?#)/i;

function isAnsweredByMachine({ headers, subject }: ReturnedMail): boolean {
  return (
    /^auto-(replied|generated|notified)/i.test(headers['auto-submitted'] ?? '') ||
    /^(auto_reply|auto-reply)$/i.test(headers.precedence ?? '') ||
    ['x-autoreply', 'x-autorespond', 'x-auto-response-suppress', 'x-autoresponder'].some(
      (name) => name in headers,
    ) ||
    machineSubjects.test(subject)
  );
}

/** A server that holds the message until its sender proves to be a person. Nobody does. */
const isChallenge = ({ from, subject, text }: ReturnedMail): boolean =>
  /boxbe|spamarrest|sendio|mailblocks|bluebottle|choicemail|uol\.com\.br.{0,20}antispam/i.test(from) ||
  /(confirm|verif).{0,40}(your )?(message|email|e-mail|delivery|sender|human)|challenge.?response|waiting for (your )?(verification|approval)/i.test(
    `${subject}\n${text.slice(0, 500)}`,
  );
