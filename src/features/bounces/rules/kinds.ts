/** Whose doing it is that a message was not delivered. Only the address's own suppresses. */
export type Fault = 'address' | 'sender' | 'server';

/** Hard: the address takes no mail, now or later. Soft: it may, another time or another way. */
export type BounceClass = 'hard' | 'soft';

/** What comes next for a message that a server has refused while it was handed over. */
export type Next =
  /** It fails. */
  | { how: 'fail' }
  /** It is tried again. */
  | {
      how: 'retry';
      /** Wait at least so long. The usual wait may be longer. */
      seconds: number;
      /** The server asks for less mail: everything for its domain waits, not this alone. */
      slowsDomain: boolean;
    }
  /**
   * Nothing of the mailing would get through: it stops, until somebody has put it right. `isKept`
   * says whether this message is tried again afterwards.
   */
  | { how: 'stop'; isKept: boolean };

interface Kind {
  class: BounceClass;
  fault: Fault;
  /** For people: what the server has said. */
  words: string;
  /** How many seconds to wait at least after a temporary refusal. Absent: a minute. */
  waits?: number;
  slowsDomain?: true;
  stops?: 'kept' | 'lost';
}

/** Everything that a server may mean by refusing a message. */
export const kinds = {
  no_such_user: { class: 'hard', fault: 'address', words: 'There is no such mailbox' },
  no_such_domain: { class: 'hard', fault: 'address', words: 'The domain takes no mail' },
  bad_address: { class: 'hard', fault: 'address', words: 'The address is written wrongly' },
  moved: { class: 'hard', fault: 'address', words: 'The recipient has moved' },
  disabled: { class: 'hard', fault: 'address', words: 'The mailbox is closed' },
  known_bad: { class: 'hard', fault: 'address', words: 'The sending service has given the address up' },
  full: { class: 'soft', fault: 'address', words: 'The mailbox is full', waits: 7_200 },
  busy: { class: 'soft', fault: 'server', words: 'The mailbox gets too much at once', waits: 1_800 },
  greylist: {
    class: 'soft',
    fault: 'server',
    words: 'The server asks unknown senders to try again',
    waits: 300,
  },
  rate: {
    class: 'soft',
    fault: 'sender',
    words: 'The server asks for less mail',
    waits: 900,
    slowsDomain: true,
  },
  reputation: {
    ...{ class: 'soft', fault: 'sender', words: 'The sending server is on a blocklist or not trusted' },
    ...{ waits: 3_600, slowsDomain: true },
  },
  authentication: {
    ...{ class: 'soft', fault: 'sender', words: 'SPF, DKIM or DMARC does not fit the sender' },
    waits: 3_600,
  },
  spam: { class: 'soft', fault: 'sender', words: 'Taken for spam', waits: 3_600 },
  content: { class: 'soft', fault: 'sender', words: 'The content was refused', waits: 3_600 },
  too_large: { class: 'soft', fault: 'sender', words: 'The message is too large' },
  sender_refused: { class: 'soft', fault: 'sender', words: 'The sender address was refused', waits: 900 },
  policy: {
    class: 'soft',
    fault: 'sender',
    words: 'Refused by a rule of the recipient’s server',
    waits: 3_600,
  },
  encryption: { class: 'soft', fault: 'sender', words: 'The server asks for encryption', waits: 3_600 },
  relay: {
    ...{ class: 'soft', fault: 'sender', words: 'The server passes no mail on for this sender' },
    ...{ waits: 3_600, stops: 'lost' },
  },
  account: {
    ...{ class: 'soft', fault: 'sender', words: 'The sending account may not send, or no more for now' },
    ...{ waits: 3_600, stops: 'kept' },
  },
  dns: {
    class: 'soft',
    fault: 'server',
    words: 'The recipient’s mail server could not be found',
    waits: 1_800,
  },
  unreachable: {
    class: 'soft',
    fault: 'server',
    words: 'The recipient’s mail server did not answer',
    waits: 900,
  },
  expired: { class: 'soft', fault: 'server', words: 'It could not be delivered for days' },
  loop: { class: 'soft', fault: 'server', words: 'The recipient’s servers send mail in a circle' },
  unsupported: {
    class: 'soft',
    fault: 'server',
    words: 'The server does not support what the message needs',
  },
  protocol: {
    class: 'soft',
    fault: 'server',
    words: 'The servers did not understand each other',
    waits: 900,
  },
  temporary: { class: 'soft', fault: 'server', words: 'The server has trouble of its own' },
  other: { class: 'soft', fault: 'server', words: 'Refused without a reason that is known' },
} as const satisfies Record<string, Kind>;

export type BounceKind = keyof typeof kinds;

export const bounceKinds = Object.keys(kinds) as [BounceKind, ...BounceKind[]];

export const kindOf = (kind: BounceKind): Kind => kinds[kind];
