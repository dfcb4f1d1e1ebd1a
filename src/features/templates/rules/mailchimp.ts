import { placesIn } from './problem.ts';

/** A merge tag that has no equal here. It stays as it is, so that the writer sees it. */
export interface LeftTag {
  tag: string;
  line: number;
  /** Why, or what to do about it. */
  words: string;
}

/** A field that a merge tag became, where it stands first. */
export interface TurnedField {
  name: string;
  tag: string;
  line: number;
}

export interface FromMailchimp {
  source: string;
  /** How many tags were turned into ours. */
  turned: number;
  /** The fields that they became, each once. */
  fields: TurnedField[];
  left: LeftTag[];
}

/** Whether a text holds Mailchimp's merge tags. */
export function isFromMailchimp(source: string): boolean {
  return tagPattern.test(source);
}

const tagPattern = /\*(?:\||%7C)[A-Z][^*|\r\n]{0,120}(?:\||%7C)\*/i;

/** Fields that have another name here. Any other audience field keeps its own, in small letters. */
const fields: Record<string, string> = {
  FNAME: 'first_name',
  LNAME: 'last_name',
  NAME: 'name',
  FULLNAME: 'name',
  EMAIL: 'email',
  MC_PREVIEW_TEXT: 'preheader',
  'MC:SUBJECT': 'subject',
  'LIST:NAME': 'company_name',
  'LIST:COMPANY': 'company_name',
  'USER:COMPANY': 'company_name',
  'LIST:ADDRESS': 'company_address',
  'LIST:ADDRESSLINE': 'company_address',
  LIST_ADDRESS: 'company_address',
  'LIST:ADDRESS_HTML': 'company_address',
  LIST_ADDRESS_HTML: 'company_address',
  UNSUB: 'unsubscribe_link',
  UPDATE_PROFILE: 'preferences_link',
  ARCHIVE: 'view_in_browser_link',
};

const why: [RegExp, string][] = [
  [
    /^(FACEBOOK|TWITTER|LINKEDIN|SHARE|SOCIAL|TWITTER_PROFILE|FACEBOOK_PROFILE)/,
    'Sharing is written as an ordinary link.',
  ],
  [/^(RSS|RSSITEM|RSSFEED|FEED|FEEDBLOCK|FEEDITEM)/, 'Feeds are not read into mails.'],
  [
    /^(POLL|ENDPOLL|SURVEY|VIDEO|YOUTUBE|VIMEO|EVENT|PRODUCT|CART|PROMO_CODE|COUPON|REC|RATING)/,
    'This has no equal here.',
  ],
  [
    /^(FORWARD|ABOUT_LIST|REWARDS|REWARDS_TEXT|MC_LANGUAGE|MC_LANGUAGE_LABEL|TRANSLATE|GROUP|INTERESTED|LIST|USER|HTML|MC|CAMPAIGN_UID|UNIQID|CAMPAIGN|SALES_REP|REPEAT|GALLERY)\b/,
    'This has no equal here.',
  ],
];

/** Letters of PHP's dates, as Mailchimp takes them, and what Liquid calls them. */
const dateLetters: Record<string, string> = {
  d: '%d',
  D: '%a',
  j: '%-d',
  l: '%A',
  F: '%B',
  m: '%m',
  M: '%b',
  n: '%-m',
  Y: '%Y',
  y: '%y',
  a: '%P',
  A: '%p',
  g: '%-I',
  G: '%-k',
  h: '%I',
  H: '%H',
  i: '%M',
  s: '%S',
  S: '',
};

const cases: Record<string, string> = {
  UPPER: 'upcase',
  LOWER: 'downcase',
  TITLE: 'capitalize',
  URL: 'url_encode',
};

/** Turns Mailchimp's merge tags and conditions into Liquid. */
export function fromMailchimp(given: string): FromMailchimp {
  // In exports, links to its own pages stand behind a scheme, and bars are written for an address.
  const source = given
    .replace(/\*%7C([A-Z][\w:%-]{0,60}?)%7C\*/gi, (_, tag: string) => `*|${tag}|*`)
    .replace(/https?:\/\/(\*\|(?:UNSUB|ARCHIVE|UPDATE_PROFILE|FORWARD)\|\*)/gi, '$1');
  const result: FromMailchimp = { source: '', turned: 0, fields: [], left: [] };
  const names = new Set<string>();
  const open: boolean[] = [];
  const placeOf = placesIn(source);
  // A condition may stand in a comment of its own.
  result.source = source.replace(
    /<!--\s*\*\|([^*|\r\n]{1,120})\|\*\s*-->|\*\|([^*|\r\n]{1,120})\|\*/g,
    (whole, inComment: string | undefined, bare: string | undefined, at: number) => {
      const tag = (inComment ?? bare ?? '').trim();
      const turned = turn(tag, open);
      if (typeof turned === 'string') {
        result.turned++;
        const name = fieldIn(turned);
        if (name && !names.has(name)) result.fields.push({ name, tag: `*|${tag}|*`, line: placeOf(at).line });
        if (name) names.add(name);
        return turned;
      }
      result.left.push({ tag: `*|${tag}|*`, line: placeOf(at).line, words: turned.words });
      return whole;
    },
  );
  return result;
}

/** The field that a piece of Liquid shows or asks about, as it is made here. */
const fieldIn = (liquid: string): string | undefined =>
  /^\{(?:\{|% (?:els)?if(?: not)?) ([a-z]\w*)/.exec(liquid)?.[1];

function turn(tag: string, open: boolean[]): string | { words: string } {
  const name = tag.toUpperCase();
  const [, word = '', rest = ''] = /^(IF|IFNOT|ELSEIF|ELSE|END)(?::(.*))?$/is.exec(tag) ?? [];
  if (word) return condition(word.toUpperCase(), rest.trim(), open);
  if (fields[name]) return `{{ ${fields[name]} }}`;
  if (name === 'CURRENT_YEAR') return `{{ "now" | date: "%Y" }}`;
  const date = /^DATE(?::(.*))?$/i.exec(tag);
  if (date) return dateOf(date[1]);
  const [, filter = '', field = ''] = /^(UPPER|LOWER|TITLE|URL|HTML|PLAIN):(\w+)$/.exec(name) ?? [];
  if (filter && (fields[field] || /^\w{1,10}$/.test(field))) {
    const change = cases[filter];
    return `{{ ${fieldNamed(field)}${change ? ` | ${change}` : ''} }}`;
  }
  const known = why.find(([pattern]) => pattern.test(name));
  if (known) return { words: known[1] };
  // Audience fields have at most ten letters and digits.
  return /^[A-Z]\w{0,9}$/.test(name) ? `{{ ${fieldNamed(name)} }}` : { words: 'This is not known here.' };
}

function fieldNamed(name: string): string {
  return fields[name] ?? name.toLowerCase();
}

function dateOf(format = 'j/n/Y'): string {
  const liquid = [...format.replace(/["'{}%\\]/g, '')]
    .map((letter) => dateLetters[letter] ?? letter)
    .join('');
  return `{{ "now" | date: "${liquid}" }}`;
}

function condition(word: string, rest: string, open: boolean[]): string | { words: string } {
  if (word === 'END') return open.pop() ? '{% endif %}' : { words: 'No condition begins before it.' };
  if (word === 'ELSE') return open.length > 0 ? '{% else %}' : { words: 'No condition begins before it.' };
  const [, name = '', operator = '', value = ''] =
    /^([A-Z]\w*)\s*(?:(=|!=|<=?|>=?)\s*(.*))?$/is.exec(rest) ?? [];
  if (!name || (word === 'ELSEIF' && open.length === 0)) return { words: 'This condition cannot be read.' };
  const field = fieldNamed(name.toUpperCase());
  const test = operator
    ? comparison(field, operator, value)
    : `${field} ${word === 'IFNOT' ? '==' : '!='} blank`;
  if (word === 'ELSEIF') return `{% elsif ${test} %}`;
  open.push(true);
  return operator && word === 'IFNOT' ? `{% if not ${test} %}` : `{% if ${test} %}`;
}

function comparison(field: string, operator: string, value: string): string {
  const text = value
    .trim()
    .replace(/^(["'])(.*)\1$/, '$2')
    .replace(/["{}%\\]/g, '');
  const literal = /^-?\d+(\.\d+)?$/.test(text) && /[<>]/.test(operator) ? text : `"${text}"`;
  return `${field} ${operator === '=' ? '==' : operator} ${literal}`;
}
