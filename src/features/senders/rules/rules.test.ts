import { describe, expect, it } from 'vitest';
import { belongsWith, organisationalDomain, upToOrganisation } from './domain-name.ts';
import type { DnsFacts, PublicKey, Said } from './facts.ts';
import { checksOf, requirementsOf, stateOfDomain } from './judge.ts';
import { freeSelector, signingKey, waitingKey } from './keys.ts';
import { linkBase, type Place, recordsOf } from './records.ts';
import { letsEveryoneSend, spfPartsOf, spfTerms, withSpfParts } from './spf.ts';
import { dkimRecord, isDmarc, publishes, stringsOf, tagsOf } from './tags.ts';

const found = (...values: string[]): Said => ({ state: 'found', values });
const none: Said = { state: 'none', values: [] };
const day = (at: number) => new Date(Date.UTC(2026, 0, at));
const key = (selector: 'em1' | 'em2', more: Partial<PublicKey> = {}): PublicKey => ({
  selector,
  publicKey: `KEY${selector}`,
  madeAt: day(selector === 'em1' ? 1 : 2),
  seenAt: null,
  retiredAt: null,
  ...more,
});
const place: Place = {
  publicHost: 'mail.app.co.uk',
  publicUrl: 'https://mail.app.co.uk',
  bounceDomain: null,
  spfParts: ['include:spf.app.co.uk'],
};
const good: DnsFacts = {
  dkim: { em1: found('v=DKIM1; k=rsa; p=KEYem1') },
  spf: found('v=spf1 include:spf.app.co.uk ~all'),
  spfCost: { lookups: 1, problem: null, isPartial: false },
  dmarc: found('v=DMARC1; p=none'),
  dmarcDomain: 'acme.co.uk',
  mx: found('10 mx.acme.co.uk'),
  tracking: none,
  returnPath: null,
};
const judge = (name: string, facts: Partial<DnsFacts>, domain = 'acme.co.uk', at: Place = place) =>
  checksOf(domain, [key('em1')], { ...good, ...facts }, at).find((check) => check.name === name);

describe('domains', () => {
  it('belong to an organisation', () => {
    expect(organisationalDomain('a.b.acme.co.uk')).toBe('acme.co.uk');
    expect(belongsWith('news.acme.co.uk', 'acme.co.uk')).toBe(true);
    expect(belongsWith('acme.co.uk', 'other.co.uk')).toBe(false);
    // Two shops of one hosting company are no organisation.
    expect(belongsWith('a.github.io', 'b.github.io')).toBe(false);
    expect(upToOrganisation('a.b.acme.co.uk')).toEqual(['a.b.acme.co.uk', 'b.acme.co.uk', 'acme.co.uk']);
    expect(upToOrganisation('acme.co.uk')).toEqual(['acme.co.uk']);
  });
});

describe('SPF', () => {
  it('is read by parts', () => {
    expect(spfTerms('v=spf1 a:mail.acme.co.uk/24 -ip4:192.0.2.0/24 redirect=x.co.uk ?all')).toMatchObject([
      { qualifier: '+', name: 'a', value: 'mail.acme.co.uk/24' },
      { qualifier: '-', name: 'ip4', value: '192.0.2.0/24' },
      { name: 'redirect', value: 'x.co.uk' },
      { qualifier: '?', name: 'all' },
    ]);
    expect(spfTerms('v=spf1 inclde:x.co.uk -all')[0]).toBeNull();
  });

  it('that lets everybody send is told from one that does not', () => {
    for (const record of ['v=spf1 +all', 'v=spf1 mx ALL']) expect(letsEveryoneSend(record)).toBe(true);
    for (const record of ['v=spf1 -all', 'v=spf1 ~all', 'v=spf1 ?all', 'v=spf1 include:all.co.uk'])
      expect(letsEveryoneSend(record)).toBe(false);
  });

  it('gets one more part before its end, and only once', () => {
    const parts = ['include:spf.app.co.uk'];
    expect(withSpfParts(null, parts)).toBe('v=spf1 include:spf.app.co.uk ~all');
    expect(withSpfParts(null, [])).toBe('v=spf1 mx ~all');
    expect(withSpfParts('v=spf1 mx -all', parts)).toBe('v=spf1 mx include:spf.app.co.uk -all');
    expect(withSpfParts('v=spf1 a:b.co.uk ~all', [...parts, 'a:b.co.uk', 'ip4:203.0.113.9'])).toBe(
      'v=spf1 a:b.co.uk include:spf.app.co.uk ip4:203.0.113.9 ~all',
    );
    expect(withSpfParts('v=spf1 redirect=x.co.uk', parts)).toBe(
      'v=spf1 include:spf.app.co.uk redirect=x.co.uk',
    );
    expect(withSpfParts('v=spf1 mx', parts)).toBe('v=spf1 mx include:spf.app.co.uk');
    expect(withSpfParts('v=spf1 +include:SPF.app.co.uk -all', parts)).toBe(
      'v=spf1 +include:SPF.app.co.uk -all',
    );
  });

  it('names the provider of the SMTP server, or the server', () => {
    const hosts = ['email-smtp.eu-west-2.amazonaws.com', 'mail.acme.co.uk', '203.0.113.9'];
    expect(spfPartsOf(hosts)).toEqual(['include:amazonses.com', 'a:mail.acme.co.uk', 'ip4:203.0.113.9']);
    expect(spfPartsOf(['smtp-relay.brevo.com', 'smtp-relay.sendinblue.com'])).toHaveLength(1);
    expect(spfPartsOf(['localhost', '127.0.0.1', '10.0.0.4', 'postfix'])).toEqual([]);
  });

  it('is judged', () => {
    expect(judge('spf', {})).toMatchObject({
      result: 'pass',
      words: expect.stringContaining('1 of at most 10'),
    });
    expect(judge('spf', { spf: none })).toMatchObject({ result: 'fail' });
    expect(judge('spf', { spf: found('v=spf1 -all', 'v=spf1 mx -all') })).toMatchObject({
      result: 'fail',
      words: expect.stringContaining('2 SPF records'),
    });
    expect(judge('spf', { spf: found('v=spf1 +all') })?.words).toContain('+all');
    expect(judge('spf', { spf: found('v=spf1 mxx -all') })?.result).toBe('fail');
    expect(judge('spf', { spf: found('v=spf1 mx -all') })).toMatchObject({
      result: 'warning',
      words: expect.stringContaining('include:spf.app.co.uk'),
    });
    const cost = { lookups: 11, problem: 'Too many.', isPartial: false };
    expect(judge('spf', { spfCost: cost })).toMatchObject({ result: 'fail', words: 'Too many.' });
    expect(judge('spf', { spf: { state: 'unknown', values: [] } })?.result).toBe('unknown');
  });
});

describe('DKIM records', () => {
  it('publish a key, however panels write it', () => {
    expect(dkimRecord('AAAB')).toBe('v=DKIM1; k=rsa; p=AAAB');
    expect(publishes('k=rsa;p=AA AB ;v=DKIM1', 'AAAB')).toBe(true);
    expect(publishes('v=DKIM1; p=AAAC', 'AAAB')).toBe(false);
    expect(publishes('v=DKIM1; p=', 'AAAB')).toBe(false);
    expect(stringsOf('x'.repeat(300)).map(({ length }) => length)).toEqual([255, 45]);
  });

  it('are judged', () => {
    expect(judge('dkim', {})).toMatchObject({ result: 'pass' });
    expect(judge('dkim', { dkim: { em1: none } })?.words).toContain('no record for the key em1');
    expect(judge('dkim', { dkim: { em1: found('v=DKIM1; p=OTHER') } })?.words).toContain('another key');
    const two = found('v=DKIM1; p=KEYem1', 'v=DKIM1; p=OTHER');
    expect(judge('dkim', { dkim: { em1: two } })?.result).toBe('warning');
    expect(judge('dkim', { dkim: { em1: found('v=DKIM1; t=s:y; p=KEYem1') } })?.words).toContain('t=y');
  });
});

describe('DMARC', () => {
  it('is told from other text', () => {
    expect(isDmarc('v=DMARC1; p=none')).toBe(true);
    expect(isDmarc('v=DMARC10; p=none')).toBe(false);
    expect(tagsOf('v=DMARC1; p=none; rua=mailto:a@b.co.uk?x=1').get('rua')).toBe('mailto:a@b.co.uk?x=1');
  });

  it('is judged, with the policy for what is below', () => {
    expect(judge('dmarc', {})?.words).toContain('p=none');
    expect(judge('dmarc', { dmarc: none })?.result).toBe('fail');
    expect(judge('dmarc', { dmarc: found('v=DMARC1; p=none', 'v=DMARC1; p=reject') })?.result).toBe('fail');
    expect(judge('dmarc', { dmarc: found('v=DMARC1; rua=x') })?.words).toContain('no policy');
    const above = judge('dmarc', { dmarc: found('v=DMARC1; p=none; sp=reject') }, 'news.acme.co.uk');
    expect(above?.words).toMatch(/p=reject.*acme\.co\.uk/);
  });
});

describe('keys', () => {
  const seen = { seenAt: day(3) };
  it('sign when they are the first, or when they have been seen', () => {
    expect(signingKey([key('em1')])?.selector).toBe('em1');
    expect(signingKey([key('em1', seen), key('em2')])?.selector).toBe('em1');
    expect(waitingKey([key('em1', seen), key('em2')])?.selector).toBe('em2');
    expect(signingKey([key('em1', seen), key('em2', seen)])?.selector).toBe('em2');
    expect(signingKey([key('em1', { ...seen, retiredAt: day(4) }), key('em2', seen)])?.selector).toBe('em2');
    expect(signingKey([])).toBeUndefined();
  });

  it('take the other selector', () => {
    expect(freeSelector([key('em1')])).toBe('em2');
    expect(freeSelector([key('em2')])).toBe('em1');
    expect(freeSelector([key('em1'), key('em2')])).toBeUndefined();
  });
});

describe('records to publish', () => {
  const hosts = (domain: string, at: Place = place) =>
    recordsOf(domain, [key('em1')], null, at).map(({ purpose, host, shortHost }) => [
      purpose,
      host,
      shortHost,
    ]);

  it('have their whole name and the short one', () => {
    expect(hosts('news.acme.co.uk')).toEqual([
      ['dkim', 'em1._domainkey.news.acme.co.uk', 'em1._domainkey.news'],
      ['spf', 'news.acme.co.uk', 'news'],
      ['dmarc', '_dmarc.news.acme.co.uk', '_dmarc.news'],
      ['tracking', 'links.news.acme.co.uk', 'links.news'],
    ]);
    expect(hosts('acme.co.uk')[1]).toEqual(['spf', 'acme.co.uk', '@']);
  });

  it('leave out what nobody outside could reach, and have the return path only where it is theirs', () => {
    expect(hosts('acme.co.uk', { ...place, publicHost: null })).toHaveLength(3);
    expect(hosts('acme.co.uk', { ...place, bounceDomain: 'bounces.other.co.uk' })).toHaveLength(4);
    const own = recordsOf('acme.co.uk', [], null, { ...place, bounceDomain: 'b.acme.co.uk' });
    expect(own).toContainEqual(
      expect.objectContaining({ purpose: 'return_path', type: 'MX', value: '10 mail.app.co.uk' }),
    );
  });

  it('keep what is there: an SPF record gets one part, a DMARC policy stays', () => {
    const facts = { ...good, spf: found('v=spf1 mx -all'), dmarc: found('v=DMARC1; p=reject') };
    const records = recordsOf('acme.co.uk', [key('em1')], facts, place);
    const of = (purpose: string) => records.find((record) => record.purpose === purpose);
    expect(of('spf')).toMatchObject({ value: 'v=spf1 mx include:spf.app.co.uk -all', state: 'differs' });
    expect(of('dmarc')).toMatchObject({ value: 'v=DMARC1; p=reject', state: 'found' });
    expect(of('dkim')).toMatchObject({ state: 'found' });
    expect(of('tracking')).toMatchObject({ state: 'missing', isOptional: true });
  });
});

describe('the host of links', () => {
  const leadsHere = { tracking: found('mail.app.co.uk') };
  const said = (facts: Partial<DnsFacts>, at: Place = place) =>
    checksOf('acme.co.uk', [key('em1')], { ...good, ...facts }, at).find(({ name }) => name === 'tracking');

  it('is the domain’s own once that leads here and answers, and the check says which it is', () => {
    const holds = { ...good, ...leadsHere, linkProblem: null };
    expect(linkBase('acme.co.uk', holds, place)).toBe('https://links.acme.co.uk');
    expect(said(holds)).toMatchObject({
      result: 'pass',
      words: 'Links in mails begin with https://links.acme.co.uk.',
    });
    const plain = { ...place, publicUrl: 'http://mail.app.co.uk:8080' };
    expect(linkBase('acme.co.uk', holds, plain)).toBe('http://links.acme.co.uk:8080');
    expect(said(holds, plain)?.words).toContain('not encrypted');
  });

  it('stays that of the installation without a record, with another, without an answer, and untried', () => {
    for (const facts of [
      { tracking: none },
      { tracking: found('elsewhere.co.uk'), linkProblem: null },
      leadsHere,
      { ...leadsHere, linkProblem: 'The certificate of the server is for another name.' },
    ]) {
      expect(linkBase('acme.co.uk', { ...good, ...facts }, place)).toBeNull();
      expect(said(facts)?.words).toContain('Links begin with https://mail.app.co.uk.');
    }
    const words = said({
      ...leadsHere,
      linkProblem: 'The certificate of the server is for another name.',
    })?.words;
    expect(words).toContain('for another name. It needs a certificate');
    expect(
      linkBase('acme.co.uk', { ...good, ...leadsHere, linkProblem: null }, { ...place, publicHost: null }),
    ).toBeNull();
  });
});

describe('what Gmail and Yahoo require', () => {
  const required = (facts: DnsFacts | null, given: Partial<Parameters<typeof requirementsOf>[1]> = {}) =>
    requirementsOf(checksOf('acme.co.uk', [key('em1')], facts, place), {
      ...{ linkSite: 'https://mail.app.co.uk', complaints: { sent: 0, complained: 0 } },
      ...given,
    });
  const holds = (...given: Parameters<typeof required>) => required(...given).map((one) => one.holds);

  it('holds, fails or is not known', () => {
    expect(holds(good)).toEqual([true, true, true, true, null]);
    expect(holds(null)).toEqual([null, null, null, true, null]);
    expect(holds({ ...good, dkim: { em1: none }, dmarc: none })).toEqual([false, true, false, true, null]);
    expect(holds({ ...good, spf: none })).toEqual([true, false, true, true, null]);
    // A record that does not name our servers does not help our mail.
    expect(holds({ ...good, spf: found('v=spf1 mx -all') })[1]).toBe(false);
    expect(holds(good, { linkSite: 'http://localhost:3000' })[3]).toBe(false);
  });

  it('counts complaints once there are enough messages', () => {
    const complaints = (sent: number, complained: number) =>
      required(good, { complaints: { sent, complained } })[4];
    expect(complaints(999, 999)?.holds).toBeNull();
    expect(complaints(10_000, 29)).toMatchObject({
      ...{ holds: true, words: expect.stringContaining('29 of 10,000 in the last 30 days (0.29%)') },
    });
    expect(complaints(10_000, 30)?.holds).toBe(false);
  });

  it('makes a domain ready only with all three', () => {
    const state = (facts: DnsFacts) =>
      stateOfDomain(checksOf('acme.co.uk', [key('em1')], facts, place), true);
    expect(state(good)).toBe('ready');
    for (const less of [{ spf: none }, { dmarc: none }, { dkim: { em1: none } }])
      expect(state({ ...good, ...less })).toBe('incomplete');
    expect(stateOfDomain([], false)).toBe('unchecked');
  });
});
