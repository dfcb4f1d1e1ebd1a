import { describe, expect, it } from 'vitest';
import { createJudge } from '../rules.ts';
import { idna } from '../server/index.ts';
import { suggestEnding, suggestSecondLevel } from './ending.ts';
import { gmailFlaw } from './gmail.ts';

const judge = createJudge({ idna, cacheSlots: 1024 });
const meantBy = (domain: string): string | null =>
  judge(`sam.ashdown@${domain}`).suggestion?.split('@')[1] ?? null;
/** `wrong=right` between blanks; `wrong=` when nothing must be suggested. */
const pairs = (text: string): [wrong: string, right: string | null][] =>
  text
    .trim()
    .split(/\s+/)
    .map((pair) => pair.split('=') as [string, string])
    .map(([wrong, right]) => [wrong, right === '' ? null : right]);

describe('a provider', () => {
  it.each(
    pairs(`gmail=gmail.com gmail.=gmail.com gmail.c=gmail.com gmail.co=gmail.com gmial=gmail.com gmai=gmail.com
      outlook=outlook.com outlook.c=outlook.com btinternet=btinternet.com btinternet.c=btinternet.com icloud=icloud.com
      virginmedia=virginmedia.com talktalk=talktalk.net talktalk.n=talktalk.net talktalk.ne=talktalk.net
      ntlworld=ntlworld.com blueyonder=blueyonder.co.uk googlemail=googlemail.com googlemail.c=googlemail.com
      hotmail= hotmail.c= yahoo= live= aol= mail= email= virgin= sky= nhs= proton= jo= acme= server=`),
  )('cut short as %s is %s', (wrong, right) => expect(meantBy(wrong)).toBe(right));

  it.each(
    pairs(`gmailc.om=gmail.com hotmailc.om=hotmail.com yahooc.om=yahoo.com outlookc.om=outlook.com icloudc.om=icloud.com
      btinternetc.om=btinternet.com skyc.om=sky.com aolc.om=aol.com gmailco.m=gmail.com hotmailco.uk=hotmail.co.uk
      yahooco.uk=yahoo.co.uk hotmail.c.om=hotmail.com acmec.om= liveco.uk= skyco.uk= mailco.uk=`),
  )('with a moved dot, %s, is %s', (wrong, right) => expect(meantBy(wrong)).toBe(right));

  it.each(
    pairs(`gimail.com=gmail.com gamail.com=gmail.com gmaial.com=gmail.com gmalil.com=gmail.com gmamil.com=gmail.com
      gmiail.com=gmail.com yahhoo.com=yahoo.com yaohoo.co.uk=yahoo.co.uk
      hotimall.com=hotmail.com hotmalil.co.uk=hotmail.co.uk hottmaill.com=hotmail.com homtaill.com=hotmail.com
      outloookk.com=outlook.com outtlok.com=outlook.com btinterneet.com=btinternet.com
      hotmart.com= hotmeals.com= gomail.com= gsmail.com= hushmail.com= hotelmail.com= outlooking.com= gemail.co.uk=`),
  )('misspelt as %s is %s', (wrong, right) => expect(meantBy(wrong)).toBe(right));

  it.each(
    pairs(`hotmail.co.uk.com=hotmail.co.uk yahoo.co.uk.com=yahoo.co.uk live.co.uk.com=live.co.uk
      tiscali.co.uk.com=tiscali.co.uk hotmail.uk.com=hotmail.co.uk yahoo.uk.com=yahoo.co.uk
      acme.co.uk.com=acme.co.uk acme.org.uk.com=acme.org.uk leeds.ac.uk.com=leeds.ac.uk a.b.gov.uk.com=a.b.gov.uk
      acme.uk.com= mail.uk.com= sky.uk.com= shop.acme.uk.com= uk.com= teapots.gb.com=`),
  )('with .com after .uk, %s, is %s', (wrong, right) => expect(meantBy(wrong)).toBe(right));

  it.each(
    'gail.uk gail.co.uk gail.net hmail.co.uk jmail.uk clive.co.uk sky.uk mail.uk email.uk proton.ch virgin.uk nhs.uk.net bbc.com ba.com efl.com lv.com'.split(
      ' ',
    ),
  )('%s is a domain of its own', (domain) =>
    expect(judge(`sam.ashdown@${domain}`)).toMatchObject({ verdict: 'valid', suggestion: null }),
  );
});

describe('an ending', () => {
  it.each(
    pairs(`acme.cok=acme.com acme.con=acme.com acme.vom=acme.com acme.xom=acme.com acme.dom=acme.com acme.fom=acme.com
      acme.cim=acme.com acme.cpm=acme.com acme.clm=acme.com acme.coj=acme.com acme.cmo=acme.com acme.ocm=acme.com
      acme.comm=acme.com acme.coom=acme.com acme.ccom=acme.com acme.conm=acme.com acme.mcom=acme.com acme.co.m=acme.com
      acme.nrt=acme.net acme.ney=acme.net acme.ent=acme.net acme.nett=acme.net acme.nt=acme.net acme.neet=acme.net
      acme.ogr=acme.org acme.rog=acme.org acme.prg=acme.org acme.irg=acme.org acme.orf=acme.org acme.orgg=acme.org
      acme.couk=acme.co.uk acme.ciuk=acme.co.uk acme.cuk=acme.co.uk acme.couj=acme.co.uk acme.cuok=acme.co.uk
      acme.cou.k=acme.co.uk acme.c.ouk=acme.co.uk acme.co.u.k=acme.co.uk acme.orguk=acme.org.uk acme.orgu.k=acme.org.uk
      acme.ogruk=acme.org.uk leeds.acuk=leeds.ac.uk leeds.govuk=leeds.gov.uk leeds.gvouk=leeds.gov.uk
      acme.co.ukk=acme.co.uk acme.co.yk=acme.co.uk acme.co.uj=acme.co.uk acme.co.u=acme.co.uk acme.co.k=acme.co.uk
      acme.co.iuk=acme.co.uk acme.co.ux=acme.co.uk acme.ukk=acme.uk acme.ku=acme.uk acme.yk=acme.uk acme.u=acme.uk`),
  )('that does not exist, in %s: meant is %s', (wrong, right) => expect(meantBy(wrong)).toBe(right));

  it.each([
    'acme.zzzz',
    'acme.corp',
    'acme.lan',
    'acme.home',
    'acme.qwerty',
    'acme.intranet',
    'acme.c0m',
    'acme.ltd1',
  ])('that does not exist, in %s: nothing is near', (domain) => expect(meantBy(domain)).toBeNull());

  it.each(
    pairs(`acme.ci.uk=acme.co.uk acme.cp.uk=acme.co.uk acme.cl.uk=acme.co.uk acme.vo.uk=acme.co.uk acme.xo.uk=acme.co.uk
      acme.do.uk=acme.co.uk acme.cco.uk=acme.co.uk acme.coo.uk=acme.co.uk acme.oc.uk=acme.co.uk acme.com.uk=acme.co.uk
      acme.or.uk=acme.org.uk x.or.uk=x.org.uk acme.og.uk=acme.org.uk acme.ogr.uk=acme.org.uk acme.prg.uk=acme.org.uk
      acme.orgg.uk=acme.org.uk leeds.gv.uk=leeds.gov.uk leeds.gvo.uk=leeds.gov.uk leeds.giv.uk=leeds.gov.uk
      leeds.acc.uk=leeds.ac.uk gosh.nsh.uk=gosh.nhs.uk met.poilce.uk=met.police.uk a.b.ci.uk=a.b.co.uk
      hill.kent.shc.uk=hill.kent.sch.uk`),
  )('below .uk, in %s: meant is %s', (wrong, right) => {
    expect(meantBy(wrong)).toBe(right);
    expect(judge(`sam.ashdown@${wrong}`)).toMatchObject({ verdict: 'risky', uk: 'uk' });
  });

  it.each(
    `acme.uk acme.co.uk acme.ltd.uk acme.plc.uk acme.me.uk acme.net.uk mail.ci.uk smtp.or.uk www2.bbc.uk staff.orb.uk
     mail.orb.uk x.ca.uk x.go.uk x.as.uk shop.bluebird.uk jo.parliament.uk fleet.mod.uk a.nic.uk x.bbc.uk x.hsbc.uk
     x.barclays.uk x.met.uk x.net.uk x.sc.uk x.pc.uk x.lt.uk x.ne.uk x.ns.uk x.pls.uk x.ent.uk x.nus.uk x.ad.uk x.ma.uk`.split(
      /\s+/,
    ),
  )('below .uk, %s is left alone', (domain) => expect(suggestSecondLevel(domain)).toBeNull());

  it('is never suggested as it stands', () => {
    for (const domain of ['acme.com', 'acme.co.uk', 'acme', '', '.', 'co.uk']) {
      expect(suggestEnding(domain)).not.toBe(domain);
      expect(suggestSecondLevel(domain)).toBeNull();
    }
  });
});

describe('a name at Gmail', () => {
  it.each(
    `j a 7 j. j+news jane_doe jane-doe o'brien jane&doe jane!doe _jane jane_ jane_doe+news +news +
     abcdefghijklmnopqrstuvwxyzabcde`.split(/\s+/),
  )('%s cannot be', (local) => {
    expect(gmailFlaw(local)).not.toBeNull();
    for (const domain of ['gmail.com', 'googlemail.com', 'GMail.com']) {
      const judged = judge(`${local}@${domain}`);
      // Two dots, or one at the end, are refused before.
      expect(judged.verdict).toBe(local.endsWith('.') ? 'invalid' : 'risky');
    }
    if (!local.endsWith('.')) expect(judge(`${local}@outlook.com`).verdict).toBe('valid');
  });

  it.each(
    `jo tom jane.doe j.d.o.e janedoe janedoe1984 jane.doe+a_b-c 1234567 j0hn a.b llanfairpwll
     abcdefghijklmnopqrstuvwxyzabcd a.b.c.d.e.f.g.h.i.j.k.l.m.n.o.p.q.r.s.t.u.v.w.x.y.z.a.b`.split(/\s+/),
  )('%s may be', (local) => {
    expect(gmailFlaw(local)).toBeNull();
  });

  it('is never suggested when it cannot be', () => {
    expect(judge("o'brien@gmial.com").suggestion).toBeNull();
    expect(judge('jane_doe@gmail.con').suggestion).toBeNull();
    expect(judge('jane.doe@gmail.con').suggestion).toBe('jane.doe@gmail.com');
  });
});

describe('written forms', () => {
  it.each([
    ['jo(home)@acme.co.uk', 'jo@acme.co.uk'],
    ['jo(home)@acme(work).co.uk', 'jo@acme.co.uk'],
    ['jo@(work)acme.co.uk', 'jo@acme.co.uk'],
    ['\u0301jo@acme.co.uk', 'jo@acme.co.uk'],
    ['jo@\u0301acme.co.uk', 'jo@acme.co.uk'],
    ['jo.@acme.co.uk.', 'jo@acme.co.uk'],
    ['jo@acme.co.uk (or ann@acme.co.uk)', null],
    ['jo@acme.co.uk(ann@acme.co.uk)', null],
  ])('%s: suggests %s', (text, suggestion) => {
    expect(judge(text)).toMatchObject({ verdict: 'invalid', suggestion });
  });

  it.each([
    ["'jo@acme.co.uk", 'jo@acme.co.uk'],
    ["'jo@gmail.com", 'jo@gmail.com'],
    ["'jo@gmial.com", 'jo@gmail.com'],
    ["'o'brien@acme.co.uk", "o'brien@acme.co.uk"],
  ])('%s has the mark of a text in a spreadsheet before it: suggests %s', (text, suggestion) => {
    expect(judge(text)).toMatchObject({ verdict: 'risky', suggestion });
    expect(judge(text).reasons[0]?.evidence).toContain(suggestion.split('@')[1]);
  });

  it.each(["o'brien@acme.co.uk", "jo'@acme.co.uk", "'@acme.co.uk", "'jo'@acme.co.uk"])(
    '%s has no such mark',
    (text) => {
      expect(judge(text).suggestion).toBeNull();
    },
  );

  it('says what was repaired', () => {
    expect(judge('o’brien＠acme.co.uk (home)').reasons).toEqual([
      {
        code: 'repaired',
        severity: 'note',
        evidence:
          'Taken away around the address: comment, trimmed. Written the usual way: letters, apostrophe',
      },
    ]);
  });
});

it.each(
  `all staff everyone everybody allstaff all.staff parts facilities servicing bodyshop maintenance housekeeping
   premises estates goodsin goods.in dispatch packing concierge gym weddings healthandsafety hse payroll pensions
   aftersales after-sales it.support service.desk hr.team press-office parts2 staff.leeds parts-uk`.split(
    /\s+/,
  ),
)('%s@ is a post', (local) => {
  expect(judge(`${local}@acme.co.uk`)).toMatchObject({ verdict: 'valid', isRole: true, kind: 'role' });
});

it.each(
  'allan stafford party partridge alliance everard estelle gymer hseaton staffs.jones allstaffordshire'.split(
    ' ',
  ),
)('%s@ is a person', (local) =>
  expect(judge(`${local}@acme.co.uk`)).toMatchObject({ verdict: 'valid', isRole: false }),
);
