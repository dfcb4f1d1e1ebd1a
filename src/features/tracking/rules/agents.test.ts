import { describe, expect, it } from 'vitest';
import { judgeAgent } from './agents.ts';

const chrome =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0 Safari/537.36';
const iphone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148';

describe('an open or a click', () => {
  it.each([
    [chrome, 'person', 'desktop', true],
    [iphone, 'person', 'phone', true],
    ['Mozilla/5.0 (iPad; CPU OS 17_5 like Mac OS X) AppleWebKit/605.1.15', 'person', 'tablet', true],
    [
      'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 Chrome/141.0 Mobile Safari/537.36',
      'person',
      'phone',
      true,
    ],
    [
      'Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)',
      'image_proxy',
      'webmail',
      true,
    ],
    [
      'YahooMailProxy; https://help.yahoo.com/kb/yahoo-mail-proxy-SLN28749.html',
      'image_proxy',
      'webmail',
      true,
    ],
    ['Mozilla/5.0', 'privacy_proxy', null, false],
    ['', 'program', null, false],
    ['curl/8.9.1', 'program', null, false],
    ['Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)', 'program', null, false],
    ['BarracudaCentral/1.0', 'scanner', null, false],
    [
      'Mozilla/5.0 (Windows NT 6.1) AppleWebKit/534+ (KHTML, like Gecko) BingPreview/1.0b',
      'scanner',
      null,
      false,
    ],
  ])('by “%s” is that of a %s', (userAgent, kind, device, isHuman) => {
    expect(judgeAgent({ userAgent, isHead: false, secondsAfter: 600 })).toEqual({ kind, device, isHuman });
  });

  it('without looking, or at the very moment of delivery, is no person', () => {
    expect(judgeAgent({ userAgent: chrome, isHead: true, secondsAfter: 600 }).isHuman).toBe(false);
    expect(judgeAgent({ userAgent: chrome, isHead: false, secondsAfter: 1 }).isHuman).toBe(false);
    expect(judgeAgent({ userAgent: chrome, isHead: false, secondsAfter: null }).isHuman).toBe(true);
  });
});
