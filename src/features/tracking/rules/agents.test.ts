import { describe, expect, it } from 'vitest';
import { isAskedAhead, judgeAgent } from './agents.ts';

const windows = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64)';
const webkit = 'AppleWebKit/605.1.15 (KHTML, like Gecko)';
const chrome = `${windows} AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0 Safari/537.36`;
const iphone = `Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) ${webkit} Mobile/15E148`;
const office =
  'Mozilla/4.0 (compatible; MSIE 7.0; Windows NT 10.0; WOW64; Trident/8.0; .NET4.0C; .NET4.0E; InfoPath.3';

const open = (userAgent: string) => judgeAgent({ userAgent, act: 'open', isUnseen: false });

describe('an open', () => {
  it.each([
    [chrome, 'person', 'desktop', 'browser'],
    [
      `${windows.replace('Win64; x64', 'rv:140.0')} Gecko/20100101 Firefox/140.0`,
      'person',
      'desktop',
      'browser',
    ],
    [
      `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${webkit} Version/18.6 Safari/605.1.15`,
      'person',
      'desktop',
      'browser',
    ],
    [`Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${webkit}`, 'person', 'desktop', 'apple_mail'],
    [iphone, 'person', 'phone', 'apple_mail'],
    [
      `Mozilla/5.0 (iPad; CPU OS 17_5 like Mac OS X) ${webkit} Mobile/15E148`,
      'person',
      'tablet',
      'apple_mail',
    ],
    [`${iphone} GSA/380.0`, 'person', 'phone', 'other'],
    [
      'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 Chrome/141.0 Mobile Safari/537.36',
      'person',
      'phone',
      'browser',
    ],
    [
      'Mozilla/5.0 (Linux; Android 14; SM-S921B; wv) AppleWebKit/537.36 SamsungEmail Chrome/140.0 Mobile Safari/537.36',
      'person',
      'phone',
      'samsung_email',
    ],
    [`${office}; Microsoft Outlook 16.0.17928; ms-office; MSOffice 16)`, 'person', 'desktop', 'outlook'],
    [
      'Microsoft Office/16.0 (Windows NT 10.0; Microsoft Outlook 16.0.17928; Pro)',
      'person',
      'desktop',
      'outlook',
    ],
    ['Outlook-iOS/723.4027091.prod.iphone (4.28.0)', 'person', 'phone', 'outlook'],
    [`${windows} Gecko/20100101 Thunderbird/140.3.0`, 'person', 'desktop', 'thunderbird'],
    [
      'Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)',
      'image_proxy',
      'webmail',
      'gmail',
    ],
    [
      'YahooMailProxy; https://help.yahoo.com/kb/yahoo-mail-proxy-SLN28749.html',
      'image_proxy',
      'webmail',
      'yahoo_mail',
    ],
  ])('by “%s” is that of a %s', (userAgent, agent, device, program) => {
    expect(open(userAgent)).toEqual({ agent, device, program, isHuman: true });
  });

  it.each([
    ['Mozilla/5.0', 'privacy_proxy'],
    ['', 'program'],
    ['curl/8.9.1', 'program'],
    ['Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)', 'program'],
    ['BarracudaCentral/1.0', 'scanner'],
    ['Mozilla/5.0 (Windows NT 6.1) AppleWebKit/534+ (KHTML, like Gecko) BingPreview/1.0b', 'scanner'],
    ['Mozilla/4.0 (compatible; ms-office; MSOffice rmj)', 'scanner'],
  ])('by “%s” is not that of a person', (userAgent, agent) => {
    expect(open(userAgent)).toEqual({ agent, device: null, program: null, isHuman: false });
  });

  it('without looking is no person’s', () => {
    expect(judgeAgent({ userAgent: chrome, act: 'open', isUnseen: true })).toMatchObject({
      agent: 'person',
      isHuman: false,
    });
  });
});

describe('a click', () => {
  it('tells the device, and the mail program only where the browser is that', () => {
    const click = (userAgent: string) => judgeAgent({ userAgent, act: 'click', isUnseen: false });
    expect(click(chrome)).toEqual({ agent: 'person', device: 'desktop', program: null, isHuman: true });
    expect(click(`${windows} Gecko/20100101 Thunderbird/140.3.0`).program).toBe('thunderbird');
  });
});

describe('a browser that asks ahead', () => {
  it.each([
    { purpose: 'prefetch' },
    { 'sec-purpose': 'prefetch;prerender' },
    { 'x-purpose': 'preview' },
    { 'x-moz': 'prefetch' },
  ])('says so by %o', (headers) => expect(isAskedAhead(headers)).toBe(true));

  it.each([{}, { purpose: '' }, { 'sec-fetch-mode': 'navigate' }, { 'x-purpose': 'no-prefetch' }])(
    'says nothing by %o',
    (headers) => expect(isAskedAhead(headers)).toBe(false),
  );
});
