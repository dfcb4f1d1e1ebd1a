/**
 * What kind of program opened a message or followed a link, from what it calls itself. Mail
 * programs, proxies and scanners fetch pictures and links that nobody has looked at. Their opens
 * and clicks are kept and labelled, and are not counted as those of people.
 */
export const agentKinds = ['person', 'image_proxy', 'privacy_proxy', 'scanner', 'program'] as const;
export type AgentKind = (typeof agentKinds)[number];

export const devices = ['desktop', 'phone', 'tablet', 'webmail'] as const;
export type Device = (typeof devices)[number];

/** Counted up when the rules change, so that it is known what was judged by which. */
export const judgedBy = 1;

/** Seconds after the hand-over in which only scanners have a message. */
export const scanSeconds = 2;

interface Rule {
  kind: AgentKind;
  pattern: RegExp;
}

/** The first that fits. */
const rules: readonly Rule[] = [
  // Gmail fetches a picture through its proxy when somebody opens the message; so does Yahoo.
  { kind: 'image_proxy', pattern: /GoogleImageProxy|YahooMailProxy|ZohoMailProxy|naver-mail/i },
  {
    kind: 'scanner',
    pattern: /barracuda|mimecast|proofpoint|sophos|trendmicro|symantec|forcepoint|cisco-?iron|fireeye/i,
  },
  {
    kind: 'scanner',
    pattern: /BingPreview|SafeLinks|ms-office; MSOffice|Microsoft Office Existence|UrlDefense/i,
  },
  {
    kind: 'program',
    pattern:
      /bot\b|crawl|spider|slurp|headless|phantomjs|curl|wget|python|java\/|go-http|okhttp|libwww|node-fetch|undici|axios|perl|ruby|php|facebookexternalhit|preview|monitor/i,
  },
];

export interface Asked {
  userAgent: string;
  /** HEAD fetches nothing that a person could see. */
  isHead: boolean;
  /** Seconds since the message was handed over; null when that is not known. */
  secondsAfter: number | null;
}

/** Judges one open or click. */
export function judgeAgent({ userAgent, isHead, secondsAfter }: Asked): {
  kind: AgentKind;
  device: Device | null;
  isHuman: boolean;
} {
  const agent = userAgent.trim();
  const kind = kindOf(agent);
  const isEarly = secondsAfter !== null && secondsAfter < scanSeconds;
  const isHuman = (kind === 'person' || kind === 'image_proxy') && !isHead && !isEarly;
  return {
    kind,
    device: kind === 'image_proxy' ? 'webmail' : kind === 'person' ? deviceOf(agent) : null,
    isHuman,
  };
}

function kindOf(agent: string): AgentKind {
  // Apple's Mail Privacy Protection fetches every picture and calls itself only this.
  if (agent === '' || agent === 'Mozilla/5.0') return agent === '' ? 'program' : 'privacy_proxy';
  return rules.find(({ pattern }) => pattern.test(agent))?.kind ?? 'person';
}

function deviceOf(agent: string): Device {
  if (/iPad|Tablet|Nexus (7|9|10)|SM-T\d/i.test(agent) || (/Android/i.test(agent) && !/Mobile/i.test(agent)))
    return 'tablet';
  if (/iPhone|iPod|Android|Mobile|Windows Phone/i.test(agent)) return 'phone';
  return 'desktop';
}
