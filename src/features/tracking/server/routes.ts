import type { FastifyReply } from 'fastify';
import type { Router } from '#platform/server/http.ts';
import * as contract from '../contract.ts';
import type { TrackingContext } from './context.ts';
import { confirmAddressChange, showAddressChange } from './http/address.ts';
import { forReaders, type StrangersCall } from './http/answer.ts';
import { follow } from './http/follow.ts';
import { showPixel } from './http/pixel.ts';
import { changePreferences, showPreferences } from './http/preferences.ts';
import { showUnsubscribe, unsubscribe } from './http/unsubscribe.ts';
import { viewInBrowser } from './http/view.ts';

/** The addresses that stand in mails. The web application has no page below these letters. */
export function registerTracking(router: Router, context: TrackingContext): void {
  const readers = (answer: (context: TrackingContext, call: StrangersCall) => Promise<FastifyReply>) =>
    forReaders(context, (call) => answer(context, call));
  router.handle(contract.openPixel, readers(showPixel));
  router.handle(contract.followLink, readers(follow));
  router.handle(contract.showUnsubscribe, readers(showUnsubscribe));
  router.handle(contract.unsubscribe, readers(unsubscribe));
  router.handle(contract.showPreferences, readers(showPreferences));
  router.handle(contract.changePreferences, readers(changePreferences));
  router.handle(contract.showAddressChange, readers(showAddressChange));
  router.handle(contract.confirmAddressChange, readers(confirmAddressChange));
  router.handle(contract.viewInBrowser, readers(viewInBrowser));
}
