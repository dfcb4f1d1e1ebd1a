/**
 * What kind of program opened a message or followed a link, from what it calls itself. Mail
 * programs, proxies and scanners fetch pictures and links that nobody has looked at. Their opens
 * and clicks are kept and labelled, and are not counted as those of people.
 */
export const agentKinds = ['person', 'image_proxy', 'privacy_proxy', 'scanner', 'program'] as const;
export type AgentKind = (typeof agentKinds)[number];

export const devices = ['desktop', 'phone', 'tablet', 'webmail'] as const;
export type Device = (typeof devices)[number];

/** In what a message was read. `browser`: on a page of a provider that does not say its name. */
export const mailPrograms = [
  'apple_mail',
  'outlook',
  'gmail',
  'yahoo_mail',
  'samsung_email',
  'thunderbird',
  'browser',
  'other',
] as const;
export type MailProgram = (typeof mailPrograms)[number];

/** Counted up when the rules change. What was judged by older ones is then judged again. */
export const judgedBy = 3;

/** Seconds after the hand-over in which only scanners have a message. */
export const scanSeconds = 2;

/**
 * Clicks on so many links of one message within so many seconds are a burst. Scanners follow all
 * links at once; people read before they follow the next.
 */
export const burst = { links: 3, seconds: 2 } as const;

/** Whether a browser asks ahead for what somebody may want to see, or not at all later. */
export const isAskedAhead = (headers: Readonly<Record<string, string | string[] | undefined>>): boolean =>
  ['purpose', 'sec-purpose', 'x-purpose', 'x-moz'].some((name) =>
    /^\s*(prefetch|prerender|preview)\b/i.test(String(headers[name] ?? '')),
  );

interface Rule<Kind> {
  kind: Kind;
  pattern: RegExp;
}

/** The first that fits. */
const rules: readonly Rule<AgentKind>[] = [
  // Gmail fetches a picture through its proxy when somebody opens the message; so does Yahoo.
  { kind: 'image_proxy', pattern: /GoogleImageProxy|YahooMailProxy|ZohoMailProxy|naver-mail/i },
  {
    kind: 'scanner',
    pattern: /barracuda|mimecast|proofpoint|sophos|trendmicro|symantec|forcepoint|cisco-?iron|fireeye/i,
  },
  { kind: 'scanner', pattern: /BingPreview|SafeLinks|Microsoft Office Existence|UrlDefense/i },
  // Outlook on Windows names itself beside the Office that fetches previews of links.
  { kind: 'person', pattern: /Microsoft Outlook/i },
  { kind: 'scanner', pattern: /ms-office; MSOffice/i },
  {
    kind: 'program',
    pattern:
      /bot\b|crawl|spider|slurp|headless|phantomjs|curl|wget|python|java\/|go-http|okhttp|libwww|node-fetch|undici|axios|perl|ruby|php|facebookexternalhit|preview|monitor/i,
  },
];

/** The first that fits. */
const programs: readonly Rule<MailProgram>[] = [
  { kind: 'gmail', pattern: /GoogleImageProxy/i },
  { kind: 'yahoo_mail', pattern: /YahooMail|YahooMobile/i },
  { kind: 'outlook', pattern: /Outlook/i },
  { kind: 'samsung_email', pattern: /SamsungEmail|com\.samsung\.android\.email/i },
  { kind: 'thunderbird', pattern: /Thunderbird/i },
  // These say so themselves. They come before what looks like Apple Mail or like a browser.
  {
    kind: 'other',
    pattern:
      /ZohoMail|naver-mail|eM ?Client|Postbox|Airmail|Sparkmail|Readdle|Lotus-Notes|HCL Notes|Evolution|KMail|K-9|FairEmail|ProtonMail|MailMate|GSA\/|FB(AN|AV)|Instagram|LinkedInApp/i,
  },
  // Apple's programs name the engine alone. A browser adds its own name.
  {
    kind: 'apple_mail',
    pattern:
      /\((Macintosh|iPhone|iPad|iPod)[^)]*\) AppleWebKit\/[\d.]+ \(KHTML, like Gecko\)( Mobile\/\w+)?$/,
  },
  {
    kind: 'browser',
    pattern: /\b(Chrome|CriOS|Firefox|FxiOS|Safari|Edg|EdgA|EdgiOS|OPR|SamsungBrowser|Trident)\//,
  },
];

export interface Asked {
  userAgent: string;
  /** A click comes from the browser, as a rule, and not from where the message was read. */
  act: 'open' | 'click';
  /** By HEAD, or ahead of time: nobody could see the answer, or has not yet. */
  isUnseen: boolean;
}

export interface Judged {
  agent: AgentKind;
  /** Null where nobody looked, as far as is known. */
  device: Device | null;
  program: MailProgram | null;
  isHuman: boolean;
}

/** Judges one open or click, apart from when it came; see `scanSeconds`. */
export function judgeAgent({ userAgent, act, isUnseen }: Asked): Judged {
  const name = userAgent.trim();
  const agent = kindOf(name);
  const isPerson = agent === 'person' || agent === 'image_proxy';
  const program = isPerson ? programOf(name) : null;
  return {
    agent,
    device: agent === 'image_proxy' ? 'webmail' : isPerson ? deviceOf(name) : null,
    program: act === 'click' && (program === 'browser' || program === 'other') ? null : program,
    isHuman: isPerson && !isUnseen,
  };
}

function kindOf(name: string): AgentKind {
  // Apple's Mail Privacy Protection fetches every picture and calls itself only this.
  if (name === '' || name === 'Mozilla/5.0') return name === '' ? 'program' : 'privacy_proxy';
  return rules.find(({ pattern }) => pattern.test(name))?.kind ?? 'person';
}

const programOf = (name: string): MailProgram =>
  programs.find(({ pattern }) => pattern.test(name))?.kind ?? 'other';

function deviceOf(name: string): Device {
  if (/iPad|Tablet|Nexus (7|9|10)|SM-T\d/i.test(name) || (/Android/i.test(name) && !/Mobile/i.test(name)))
    return 'tablet';
  if (/iPhone|iPod|Android|Mobile|Windows Phone|Outlook-iOS/i.test(name)) return 'phone';
  return 'desktop';
}
