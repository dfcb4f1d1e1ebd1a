import { classifyReply, type Verdict } from '../classify/classify.ts';
import { kinds } from '../kinds.ts';
import { replyOf } from '../mails/judge-mail.ts';
import type { Provider } from './providers.ts';

/** What a service tells of one message. */
export interface ProviderEvent {
  email: string;
  told: 'hard' | 'soft' | 'complaint';
  /** The words of the mail server, as far as the service passes them on. */
  said: string;
  /** All that it tells, in which the name of our message is looked for. */
  whole: string;
  /**
   * The service itself has written all of it, so a message named there is the one. Otherwise the
   * words of the recipient's server are in it too.
   */
  isOwnRecord?: true;
}

type Fields = Record<string, unknown>;

const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';

/** More events than a call of any service has. */
const mostEvents = 2_000;

/** The bounces and complaints in a call. What else it tells is left out. */
export function eventsOf(provider: Provider, body: unknown): ProviderEvent[] {
  return readers[provider](body)
    .slice(0, mostEvents)
    .filter(({ email }) => email !== '' && email.length <= 320);
}

const readers: Record<Provider, (body: unknown) => ProviderEvent[]> = {
  ses(body) {
    const event = fieldsOf(body);
    const whole = JSON.stringify(fieldsOf(event.mail));
    const kind = textOf(event.notificationType) || textOf(event.eventType);
    const { bouncedRecipients, bounceType } = fieldsOf(event.bounce);
    const { complainedRecipients, complaintFeedbackType } = fieldsOf(event.complaint);
    if (kind === 'Bounce')
      return listOf(bouncedRecipients).map((one) => {
        const { emailAddress, diagnosticCode, status } = fieldsOf(one);
        const said = withoutType(textOf(diagnosticCode)) || textOf(status);
        const told = bounceType === 'Permanent' ? 'hard' : 'soft';
        return { email: textOf(emailAddress), told, said, whole, isOwnRecord: true };
      });
    if (kind !== 'Complaint' || complaintFeedbackType === 'not-spam') return [];
    return listOf(complainedRecipients).map((one) => ({
      ...{ email: textOf(fieldsOf(one).emailAddress), told: 'complaint', whole, isOwnRecord: true },
      said: textOf(complaintFeedbackType),
    }));
  },
  postmark(body) {
    const event = fieldsOf(body);
    const { RecordType, Type, Email, Details, Description } = event;
    const kind = textOf(Type);
    const told =
      RecordType === 'SpamComplaint' || /^(SpamComplaint)$/.test(kind)
        ? 'complaint'
        : RecordType !== 'Bounce' ||
            /^(AutoResponder|ChallengeVerification|AddressChange|Subscribe|Unsubscribe|OpenRelayTest|Unconfirmed)$/.test(
              kind,
            )
          ? null
          : /^(HardBounce|BadEmailAddress|ManuallyDeactivated)$/.test(kind)
            ? 'hard'
            : 'soft';
    if (told === null) return [];
    const said = withoutType(textOf(Details)) || textOf(Description);
    return [{ email: textOf(Email), told, said, whole: JSON.stringify(event) }];
  },
  sendgrid: (body) =>
    listOf(body).flatMap((one): ProviderEvent[] => {
      const event = fieldsOf(one);
      const { event: kind, type, reason, status, email } = event;
      const words = textOf(reason) || textOf(status);
      const base = { email: textOf(email), said: words, whole: JSON.stringify(event) };
      if (kind === 'spamreport') return [{ ...base, told: 'complaint' }];
      if (kind === 'bounce') return [{ ...base, told: type === 'blocked' ? 'soft' : 'hard' }];
      if (kind === 'dropped' && /^(bounced address|invalid)/i.test(words)) return [{ ...base, told: 'hard' }];
      return [];
    }),
  mailgun(body) {
    const event = fieldsOf(fieldsOf(body)['event-data']);
    const { event: kind, severity, recipient } = event;
    const status = fieldsOf(event['delivery-status']);
    const base = { email: textOf(recipient), whole: JSON.stringify(event) };
    if (kind === 'complained') return [{ ...base, told: 'complaint', said: '' }];
    // A temporary one is tried again by the service.
    if (kind !== 'failed' || severity !== 'permanent') return [];
    const words = textOf(status.message) || textOf(status.description);
    const code = textOf(status.code);
    const said = /^[245]\d\d/.test(words) || !/^[45]\d\d$/.test(code) ? words : `${code} ${words}`;
    return [{ ...base, told: 'hard', said }];
  },
  brevo(body) {
    const event = fieldsOf(body);
    const kind = textOf(event.event);
    const told = {
      hard_bounce: 'hard',
      invalid_email: 'hard',
      soft_bounce: 'soft',
      blocked: 'soft',
      error: 'soft',
      spam: 'complaint',
      complaint: 'complaint',
    } as const;
    if (!Object.hasOwn(told, kind)) return [];
    return [
      {
        ...{ email: textOf(event.email), said: textOf(event.reason), whole: JSON.stringify(event) },
        told: told[kind as keyof typeof told],
      },
    ];
  },
};

/** `smtp; 550 …` without the type of the words. */
const withoutType = (text: string): string => text.replace(/^[\w.-]{1,20};\s*/, '');

/**
 * What a service tells, beside what its words mean to us: it calls hard what is a matter of the
 * sender, too. Nobody is suppressed for that.
 */
export function verdictOf({ told, said }: ProviderEvent): 'complaint' | Verdict {
  if (told === 'complaint') return told;
  const read = classifyReply({ ...replyOf(said), phase: 'report' });
  if (read.kind === 'other')
    return told === 'hard'
      ? { ...read, class: 'hard', fault: 'address', counts: true, suppresses: true }
      : { ...read, class: 'soft', suppresses: false };
  const isHard = told === 'hard' && read.fault === 'address' && hardKinds.has(read.kind);
  return { ...read, class: isHard ? 'hard' : 'soft', suppresses: isHard };
}

const hardKinds: ReadonlySet<string> = new Set(
  Object.entries(kinds).flatMap(([name, { class: usual }]) => (usual === 'hard' ? [name] : [])),
);
