import Bowser from 'bowser';
import type { Session } from '../contract.ts';

/** Describes the User-Agent header's device, in the words a person would use for it. */
export function deviceWords(userAgent: string | null): Pick<Session, 'device' | 'kind'> {
  if (!userAgent) return { device: 'A program', kind: 'program' };
  const { browser, os, platform } = Bowser.parse(userAgent);
  if (!browser.name || !os.name) return { device: userAgent.slice(0, 60), kind: 'program' };
  const kind = platform.type === 'mobile' ? 'phone' : platform.type === 'tablet' ? 'tablet' : 'desktop';
  return { device: `${browser.name} on ${os.name}`, kind };
}
