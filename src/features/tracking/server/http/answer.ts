import type { FastifyReply, FastifyRequest } from 'fastify';
import { asAppError } from '#platform/server/error-map.ts';
import type { TrackingContext } from '../context.ts';
import type { Page } from '../pages/page.ts';
import { failed } from '../pages/texts.ts';

export interface StrangersCall {
  params: { reference: string };
  request: FastifyRequest;
  reply: FastifyReply;
}

/** Nobody keeps or finds what is at a link of an email. */
export const privately = (reply: FastifyReply): FastifyReply =>
  reply.header('cache-control', 'no-store').header('x-robots-tag', 'noindex, nofollow');

/** Sends a page. It tells no other site where its reader came from. */
export const sendPage = (reply: FastifyReply, { status, html, policy }: Page): FastifyReply =>
  privately(reply)
    .code(status)
    .header('content-type', 'text/html; charset=utf-8')
    .header('content-security-policy', policy)
    .header('referrer-policy', 'same-origin')
    .send(html);

/** Answers readers with pages when something fails, too. They cannot read JSON. */
export const forReaders =
  <C extends StrangersCall>({ log }: TrackingContext, answer: (call: C) => Promise<FastifyReply>) =>
  async (call: C): Promise<FastifyReply> => {
    try {
      return await answer(call);
    } catch (error) {
      const { status, kind, retryAfter } = asAppError(error);
      if (status >= 500) log.error({ err: error, route: call.request.routeOptions.url }, 'a link failed');
      if (retryAfter !== undefined) call.reply.header('retry-after', retryAfter);
      return sendPage(call.reply, failurePage(kind === 'conflict' ? 503 : status));
    }
  };

const failurePage = (status: number): Page =>
  status === 429
    ? failed(
        status,
        'Too many tries',
        'Too much was asked for from here within a minute. Try again in a minute.',
      )
    : failed(
        status,
        'Please try again in a moment',
        'This could not be done just now. Open the link from the email again in a minute.',
      );
