import type { Business } from './business.ts';
import { html, type Page, pageOf } from './page.ts';
import { masked } from './texts.ts';

/** The words around a change of address. */

/** What is said when somebody has asked. It is the same for every address. */
export const askedSaid = (typed: string): string =>
  `If mail can be sent to ${typed}, a message is on its way there. Press the button in it within a day.`;

/** Asks the owner of the new address. */
export const askToConfirm = (business: Business, from: string, to: string): Page =>
  pageOf(business, {
    title: 'Change your address',
    body: html`<p>Do you want the emails that ${business.name} sends to <strong>${masked(from)}</strong>
      at <strong>${to}</strong> instead?</p>
<form method="post"><div class="row"><button name="do" value="confirm">Change the address</button></div></form>
<p>If you did not ask for this, close the page. Nothing changes.</p>`,
  });

export const isChanged = (business: Business, from: string, to: string): Page =>
  pageOf(business, {
    title: 'Your address is changed',
    body: html`<p role="status">${business.name} sends no more marketing emails to <strong>${masked(from)}</strong>.
      What you get from now on goes to <strong>${to}</strong>.</p>`,
  });

export const notOpenAnyMore = (business: Business): Page =>
  pageOf(business, {
    title: 'This link is over',
    status: 410,
    body: html`<p>It could be used for a day, and only while nothing else was changed.
      You can ask for it again on the preference page of an email.</p>`,
  });

/** The mail to the new address. It names nobody: whoever gets it may not be who was meant. */
export function confirmationMail(
  { name }: Business,
  url: string,
): { subject: string; message: { text: string; html: string } } {
  const asks = `Somebody who gets emails from ${name} wants them at this address from now on.`;
  const otherwise = 'If that was not you, do nothing, and nothing changes. The link can be used for a day.';
  const page = pageOf(null, {
    title: 'Do you want these emails here?',
    body: html`<p>${asks}</p><p><a href="${url}">Change the address</a></p><p>${otherwise}</p>`,
  });
  return {
    subject: `Confirm your address for emails from ${name}`,
    message: { text: `${asks}\n\nChange the address:\n${url}\n\n${otherwise}\n`, html: page.html },
  };
}

/** The mail to the old address, in case that somebody else has asked: the message was forwarded. */
export function noticeMail(
  { name, postalAddress }: Business,
  to: string,
): { subject: string; message: { text: string; html: string } } {
  const said = `From now on, emails from ${name} go to ${masked(to)} and no longer to this address.`;
  const write = postalAddress.trim() === '' ? '' : ` (${postalAddress.trim().replace(/\s*\n\s*/g, ', ')})`;
  const otherwise = `If that was not you, tell ${name}${write}. They can take it back.`;
  const page = pageOf(null, {
    title: 'Your address was changed',
    body: html`<p>${said}</p><p>${otherwise}</p>`,
  });
  return {
    subject: `Emails from ${name} go to another address now`,
    message: { text: `${said}\n\n${otherwise}\n`, html: page.html },
  };
}
