/**
 * The judge: takes the text of an address, and the DNS answer about its domain if anybody asked,
 * and gives a verdict with its reasons. Pure. What depends only on the domain is worked out once
 * per domain and kept.
 */
import type { Idna } from './domain.ts';
import { type DomainProfile, profileDomain } from './domain-profile.ts';
import { isGibberish } from './gibberish.ts';
import { gmailFlaw } from './gmail.ts';
import { isFiller, type LocalProfile, plainLocal, profileLocal } from './local-profile.ts';
import { latinised, mendAddress } from './mend.ts';
import { type AddressParser, createAddressParser, type ParsedAddress, type RefusedAddress } from './parse.ts';
import { type AddressReason, describeReason } from './reasons.ts';
import { describeRepairs } from './repair.ts';
import { isRfcValid, rfcGrade } from './rfc.ts';
import { createUkFilter, type UkFilterOptions } from './uk.ts';
import {
  type AddressKind,
  type DomainEvidence,
  type JudgedReason,
  type Judgement,
  type RiskFactor,
  reasonRules,
  riskOf,
  type Severity,
  type VerdictReason,
  verdictOf,
} from './verdict.ts';

export interface JudgeOptions extends Omit<UkFilterOptions, 'toAscii'> {
  /**
   * The workspace's setting. When off, an address that only the strict rules refuse is risky, not
   * invalid.
   */
  strict?: boolean;
  idna: Idna;
  /** Slots of the parser's cache, a power of two. */
  cacheSlots?: number;
}

/**
 * `isAllowed`: the import filter would keep the address, given the workspace's endings and UK
 * policy.
 */
export interface WorkspaceJudgement extends Judgement {
  isAllowed: boolean;
}

export type Judge = (text: string, evidence?: DomainEvidence | null) => WorkspaceJudgement;

const noReasons: readonly JudgedReason[] = Object.freeze([]);
const noFactors: readonly RiskFactor[] = Object.freeze([]);

/** Profiles to keep before the cache starts afresh: two generations of this many. */
const rememberedDomains = 2 ** 17;

const reasonOfRefusal: Partial<Record<AddressReason, VerdictReason>> = {
  no_such_tld: 'no_such_tld',
  reserved_tld: 'reserved_tld',
  mixed_script: 'mixed_script',
  invisible_character: 'invisible_characters',
};

function because(code: VerdictReason, evidence: string, severity?: Severity): JudgedReason {
  return { code, evidence, severity: severity ?? reasonRules[code].severity };
}

/** Makes a judge with its own caches. Use one per job or process. */
export function createJudge(options: JudgeOptions): Judge {
  const judge = new AddressJudge(options);
  return (text, evidence = null) => judge.judge(text, evidence);
}

class AddressJudge {
  private readonly strictParser: AddressParser;
  /** Null unless the workspace accepts addresses that only the strict rules refuse. */
  private readonly looseParser: AddressParser | null;
  private readonly profileOf: (domain: string) => RememberedProfile;

  constructor(options: JudgeOptions) {
    const { idna, cacheSlots, strict } = options;
    this.strictParser = createAddressParser({ ...idna, strict: true, cacheSlots });
    this.looseParser =
      strict === false ? createAddressParser({ ...idna, strict: false, cacheSlots: 1024 }) : null;
    const isAllowed = createUkFilter({ ...options, toAscii: idna.toAscii });
    this.profileOf = remember((domain) => ({ ...profileDomain(domain, idna), isAllowed: isAllowed(domain) }));
  }

  judge(text: string, evidence: DomainEvidence | null): WorkspaceJudgement {
    const parsed = this.strictParser.parse(text);
    if (parsed.ok) return this.judgeParsed(parsed, evidence, null);
    const loose = this.looseParser?.parse(text);
    if (loose?.ok) return this.judgeParsed(loose, evidence, parsed);
    return this.judgeRefused(parsed);
  }

  private judgeParsed(
    parsed: ParsedAddress,
    evidence: DomainEvidence | null,
    refused: RefusedAddress | null,
  ): WorkspaceJudgement {
    const { address, local, domain } = parsed;
    const profile = this.profileOf(domain);
    const about = profileLocal(local);
    if (refused === null && isUnremarkable(parsed, evidence, profile, about))
      return unremarkable(parsed, profile);
    const reasons: JudgedReason[] = [];
    if (refused) reasons.push(refusalReason(refused, 'risky'));
    if (evidence) addEvidence(reasons, domain, evidence);
    const meant = this.addSlip(reasons, parsed, refused, profile, about);
    const isRole = addRole(reasons, local, profile, about);
    if (parsed.repairs.length > 0) reasons.push(because('repaired', describeRepairs(parsed.repairs)));
    const { risk, factors, verdict } = weigh(reasons);
    return {
      address,
      local,
      domain,
      rfcValid: (refused === null && isPlainAscii(address)) || isRfcValid(address),
      verdict,
      reasons: reasons.length === 0 ? noReasons : reasons,
      suggestion: meant !== null && this.isSound(meant) ? meant : null,
      uk: profile.uk,
      kind: kindOf(profile, isRole),
      isRole,
      isFree: profile.isFree,
      isDisposable: profile.isDisposable,
      isAllowed: profile.isAllowed,
      risk,
      factors,
    };
  }

  /** Adds what is odd about how the address is written, and returns what was probably meant. */
  private addSlip(
    reasons: JudgedReason[],
    { address, local, domain }: ParsedAddress,
    refused: RefusedAddress | null,
    profile: RememberedProfile,
    about: LocalProfile,
  ): string | null {
    addPlaceholder(reasons, local, domain, profile, about.isPlaceholder);
    if (profile.isDisposable) reasons.push(because('disposable', `${domain} hands out throwaway mailboxes`));
    const meant = refused ? this.mend(refused) : meantBy(address, local, profile);
    const isPlaceholder = reasons.some(({ code }) => code === 'placeholder');
    const flaw = profile.isGmail && refused === null && !isPlaceholder ? gmailFlaw(local) : null;
    if (meant !== null) reasons.push(because('typo_suspected', slipSeen(domain, meant)));
    else if (flaw !== null) reasons.push(because('typo_suspected', `Nobody has ${local}@${domain}: ${flaw}`));
    if (!(isPlaceholder || profile.isForwarder) && isGibberish(local))
      reasons.push(because('gibberish', `${local} reads like keys hit at random`));
    return meant;
  }

  private judgeRefused(parsed: RefusedAddress): WorkspaceJudgement {
    const { address } = parsed;
    const reasons = [refusalReason(parsed)];
    const suggestion = this.mend(parsed);
    if (suggestion !== null) reasons.push(because('typo_suspected', `Probably meant: ${suggestion}`));
    return {
      address,
      local: null,
      domain: null,
      rfcValid: isRfcValid(address),
      ...weigh(reasons),
      reasons,
      suggestion,
      uk: null,
      kind: null,
      isRole: false,
      isFree: false,
      isDisposable: false,
      isAllowed: false,
    };
  }

  /** The sound address that a refused text was probably meant to be. */
  private mend({ address }: RefusedAddress): string | null {
    for (const reading of [mendAddress(address), latinised(address)]) {
      if (reading === null) continue;
      const parsed = this.strictParser.parse(reading);
      const candidate = parsed.ok ? reading : parsed.suggestion;
      if (candidate === null || candidate === address) continue;
      const better = this.judge(candidate, null).suggestion ?? candidate;
      if (better !== address && this.isSound(better)) return better;
    }
    return null;
  }

  /**
   * Whether an address may be suggested: nothing speaks against it, and it has no likely correction
   * itself.
   */
  private isSound(address: string): boolean {
    const parsed = this.strictParser.parse(address);
    if (!parsed.ok || parsed.address !== address) return false;
    const profile = this.profileOf(parsed.domain);
    const about = profileLocal(parsed.local);
    const reasons: JudgedReason[] = [];
    addPlaceholder(reasons, parsed.local, parsed.domain, profile, about.isPlaceholder);
    return (
      reasons.length === 0 &&
      !profile.isDisposable &&
      about.role !== 'technical' &&
      (!profile.isGmail || gmailFlaw(parsed.local) === null) &&
      meantBy(address, parsed.local, profile) === null
    );
  }
}

/**
 * Whether there is nothing to remark on. Most addresses of any list are like that, so this test
 * comes first.
 */
function isUnremarkable(
  { local, repairs }: ParsedAddress,
  evidence: DomainEvidence | null,
  profile: RememberedProfile,
  about: LocalProfile,
): boolean {
  return (
    about === plainLocal &&
    repairs.length === 0 &&
    (evidence === null || (evidence.state === 'mail' && evidence.via !== 'address')) &&
    isPlainProfile(profile) &&
    local !== profile.name &&
    strayStart(local) === 0 &&
    (!profile.isGmail || gmailFlaw(local) === null) &&
    (profile.isForwarder || !isGibberish(local))
  );
}

/** Adds the reason when the address belongs to a post or a machine, and returns whether it does. */
function addRole(
  reasons: JudgedReason[],
  local: string,
  profile: RememberedProfile,
  about: LocalProfile,
): boolean {
  const role = roleOf(local, profile, about.role, reasons);
  if (role === 'technical')
    reasons.push(because('role_technical', `${local}@ is read by machines or by nobody`));
  if (role === 'general') reasons.push(because('role', `${local}@ is a post, not a person`));
  return role !== null;
}

interface RememberedProfile extends DomainProfile {
  isAllowed: boolean;
}

/** Whether nothing in the profile could be a reason. */
function isPlainProfile(profile: DomainProfile): boolean {
  return (
    !(profile.isDisposable || profile.isPlaceholder || profile.isFillerName) && profile.suggestion === null
  );
}

/**
 * The judgement of an address with nothing to remark on. It takes a short cut, because most
 * addresses are like that.
 */
function unremarkable(parsed: ParsedAddress, profile: RememberedProfile): WorkspaceJudgement {
  return {
    address: parsed.address,
    local: parsed.local,
    domain: parsed.domain,
    rfcValid: isPlainAscii(parsed.address) || isRfcValid(parsed.address),
    verdict: 'valid',
    reasons: noReasons,
    suggestion: null,
    uk: profile.uk,
    kind: kindOf(profile, false),
    isRole: false,
    isFree: profile.isFree,
    isDisposable: false,
    isAllowed: profile.isAllowed,
    risk: 0,
    factors: noFactors,
  };
}

function refusalReason(refused: RefusedAddress, severity?: Severity): JudgedReason {
  const evidence = describeReason(refused.reason, refused.detail);
  const own = reasonOfRefusal[refused.reason];
  const code = own ?? (isByTheBook(refused) ? 'not_strict' : 'syntax');
  return because(code, evidence, severity);
}

/**
 * An address that only a message header could hold (blanks, odd marks in the domain) is useless
 * anywhere else.
 */
function isByTheBook({ address, reason }: RefusedAddress): boolean {
  const grade = rfcGrade(address);
  if (reason === 'space_inside' || reason === 'domain_characters') return grade === 'mailbox';
  return grade !== 'none';
}

function addEvidence(reasons: JudgedReason[], domain: string, { state, via }: DomainEvidence): void {
  if (state === 'no_such_domain') reasons.push(because('no_such_domain', `${domain} is not registered`));
  if (state === 'no_mail') reasons.push(because('no_mail_server', `No mail server for ${domain}`));
  if (state === 'null_mx') reasons.push(because('null_mx', `${domain} publishes that it takes no mail`));
  if (state === 'unknown') reasons.push(because('not_measured', `No answer about ${domain}`));
  if (state === 'mail' && via === 'address')
    reasons.push(because('no_mx_record', `${domain} has an address but no MX record`));
}

/** Reserved names are certain, and so are two equal halves. One half alone is a strong hint. */
function addPlaceholder(
  reasons: JudgedReason[],
  local: string,
  domain: string,
  profile: DomainProfile,
  isPlaceholderLocal: boolean,
): void {
  const { name } = profile;
  if (profile.isPlaceholder) {
    reasons.push(because('placeholder', `${domain} stands for any domain, in examples`, 'invalid'));
  } else if (name !== '' && local === name && !profile.isFree && (isPlaceholderLocal || isFiller(local))) {
    reasons.push(because('placeholder', `${local} on both sides of the @ sign`, 'invalid'));
  } else if (isPlaceholderLocal) {
    reasons.push(because('placeholder', `${local}@ is what people type to get past a form`));
  } else if (name !== '' && (profile.isFree ? local === name : profile.isFillerName && isFiller(local))) {
    reasons.push(because('placeholder', `${local}@${domain} is what people type to get past a form`));
  }
}

/** A placeholder is not a post. Two letters before a free provider are initials. */
function roleOf(
  local: string,
  profile: DomainProfile,
  role: LocalProfile['role'],
  reasons: readonly JudgedReason[],
): LocalProfile['role'] {
  if (role === null || (profile.isFree && local.length < 3)) return null;
  return reasons.some(({ code }) => code === 'placeholder') ? null : role;
}

/** The address that was probably meant by one that can be parsed. */
function meantBy(address: string, local: string, profile: DomainProfile): string | null {
  const stray = strayStart(local);
  if (profile.suggestion === null && stray === 0) return null;
  const at = address.lastIndexOf('@');
  return `${address.slice(stray, at)}@${profile.suggestion ?? address.slice(at + 1)}`;
}

/**
 * How much of a mailbox is no part of it: `www.`, or the apostrophe by which a spreadsheet marks a
 * text. That is a doubt and no repair: the mailbox may have such a name.
 */
function strayStart(local: string): number {
  if (local.startsWith('www.') && local.length > 4) return 4;
  return local.charCodeAt(0) === 39 && local.length > 1 && !local.endsWith("'") ? 1 : 0;
}

function slipSeen(domain: string, meant: string): string {
  const instead = meant.slice(meant.lastIndexOf('@') + 1);
  return instead === domain ? `Probably meant: ${meant}` : `${domain} looks like a slip for ${instead}`;
}

function weigh(reasons: readonly JudgedReason[]): Pick<Judgement, 'risk' | 'factors' | 'verdict'> {
  if (reasons.length === 0) return { risk: 0, factors: noFactors, verdict: 'valid' };
  const factors: RiskFactor[] = [];
  for (const { code, severity } of reasons) {
    const rule = reasonRules[code];
    const points =
      severity === 'invalid' ? 100 : severity === 'risky' ? Math.min(rule.points, 70) : rule.points;
    if (points > 0) factors.push({ code, points, words: rule.words });
  }
  return { risk: riskOf(factors), factors, verdict: verdictOf(reasons) };
}

function kindOf(profile: DomainProfile, isRole: boolean): AddressKind {
  if (profile.isDisposable) return 'disposable';
  if (profile.publicBody !== null) return profile.publicBody;
  if (profile.isFree) return 'free';
  return isRole ? 'role' : 'corporate';
}

function isPlainAscii(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 126) return false;
  return true;
}

/**
 * Keeps a function's answers by domain, in two generations, so that memory is bounded and common
 * domains stay.
 */
function remember(make: (domain: string) => RememberedProfile): (domain: string) => RememberedProfile {
  let young = new Map<string, RememberedProfile>();
  let old = new Map<string, RememberedProfile>();
  return (domain) => {
    const known = young.get(domain);
    if (known !== undefined) return known;
    const profile = old.get(domain) ?? make(domain);
    if (young.size >= rememberedDomains) {
      old = young;
      young = new Map();
    }
    young.set(domain, profile);
    return profile;
  };
}
