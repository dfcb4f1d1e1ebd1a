import { leavingWorks } from '../../rules/tried-send.ts';
import type { Topic } from '../topics-port.ts';
import { addressSection } from './address-section.ts';
import type { Business } from './business.ts';
import { type Html, html, type Page, pageOf } from './page.ts';

/** The pages that answer the links of mails, in words. */

/** An address that its owner recognises and nobody else learns. */
export const masked = (address: string): string => {
  const at = address.lastIndexOf('@');
  return `${[...address.slice(0, at)][0] ?? ''}•••${address.slice(at)}`;
};

export const longDay = (day: Date): string =>
  day.toLocaleDateString('en-GB', { dateStyle: 'long', timeZone: 'Europe/London' });

const button = (name: string, value: string, words: string, look = ''): Html =>
  html`<button name="${name}" value="${value}" class="${look}">${words}</button>`;

const formWith = (...buttons: readonly Html[]): Html =>
  html`<form method="post"><div class="row">${buttons}</div></form>`;

/** The only page that says nothing of anybody. */
export const unknownLink = (): Page =>
  pageOf(null, {
    title: 'This link is not known any more',
    status: 404,
    body: html`<p>It may have been cut off when it was copied, or the email is very old.
      Open it from the email again. If that does not help, write to whoever sent you the email.</p>`,
  });

/** For whoever tries whether readers could leave here. */
export const worksHere = (): Page =>
  pageOf(null, { title: leavingWorks, body: html`<p>This link is about no email and changes nothing.</p>` });

/** What a press of a button in a test does. */
export const wasTest = ({ business }: Reader): Page =>
  pageOf(business, {
    title: 'This was a test',
    body: html`<p role="status">The email was sent to try it. Nothing was changed, and ${business.name} goes on
      as before.</p>`,
  });

export const failed = (status: number, title: string, sentence: string): Page =>
  pageOf(null, { title, status, body: html`<p>${sentence}</p>` });

export interface Reader {
  business: Business;
  address: string;
}

export const askToLeave = ({ business, address }: Reader, preferences: string): Page =>
  pageOf(business, {
    title: 'Unsubscribe',
    body: html`<p>Do you want no more emails from ${business.name} to <strong>${masked(address)}</strong>?</p>
${formWith(button('do', 'leave', 'Unsubscribe'))}
<p><a href="${preferences}">Choose what you get instead</a></p>`,
  });

export const hasLeft = ({ business, address }: Reader, canComeBack: boolean): Page =>
  pageOf(business, {
    title: 'You are unsubscribed',
    body: html`<p role="status">${business.name} sends no more marketing emails to <strong>${masked(address)}</strong>.
      An email that is on its way at this moment may still arrive.</p>
${canComeBack ? html`<p>Was that a mistake?</p>${formWith(button('do', 'come-back', 'Keep getting emails', 'quiet'))}` : null}`,
  });

export const isBack = ({ business, address }: Reader, preferences: string, pausedUntil: Date | null): Page =>
  pageOf(business, {
    title: 'You get emails again',
    body: html`<p role="status"><strong>${masked(address)}</strong> is subscribed to emails from ${business.name}, as before.
${pausedUntil && html`You are taking a break, and the next emails come after ${longDay(pausedUntil)}.`}</p>
<p><a href="${preferences}">Choose what you get</a></p>`,
  });

export const pauseMonths = [1, 3, 6] as const;

/** What somebody gets, and how to change it. `done` says what has just been changed. */
export function preferences(
  { business, address, isContact }: Reader & { isContact: boolean },
  {
    pausedUntil,
    topics,
    done = null,
  }: { pausedUntil: Date | null; topics: readonly Topic[]; done?: string | null },
): Page {
  return pageOf(business, {
    title: 'Your emails',
    body: html`${done === null ? null : html`<p class="note" role="status">${done}</p>`}
<p>What ${business.name} sends to <strong>${masked(address)}</strong>.</p>
${topics.length === 0 ? null : topicsSection(topics)}
${pauseSection(pausedUntil)}
${isContact ? addressSection() : null}
<h2>Unsubscribe</h2>
<p>You get no more marketing emails from ${business.name}.</p>
${formWith(button('do', 'leave', 'Unsubscribe', 'quiet'))}`,
  });
}

const topicsSection = (topics: readonly Topic[]): Html =>
  html`<h2>Topics</h2>
<form method="post">
<fieldset><legend>Choose what you want to read about.</legend>
${topics.map(topicChoice)}
</fieldset>
${button('do', 'topics', 'Save topics')}
</form>`;

const topicChoice = ({ id, name, description, isChosen }: Topic): Html =>
  html`<input type="hidden" name="shown" value="${String(id)}">
<label class="choice"><input type="checkbox" name="topic" value="${String(id)}"${isChosen ? html` checked` : null}>
<span>${name}${description ? html`<small>${description}</small>` : null}</span></label>`;

const pauseSection = (until: Date | null): Html =>
  until === null
    ? html`<h2>Take a break</h2>
<p>You get no marketing emails for a while, and then everything as before.</p>
${formWith(...pauseMonths.map((months) => button('pause', String(months), months === 1 ? '1 month' : `${months} months`, 'quiet')))}`
    : html`<h2>You are taking a break</h2>
<p>The next emails come after ${longDay(until)}.</p>
${formWith(button('do', 'end-pause', 'End the break', 'quiet'))}`;
