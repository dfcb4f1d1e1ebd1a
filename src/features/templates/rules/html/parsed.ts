import { DomHandler, Parser } from 'htmlparser2';
import { AppError } from '#platform/shared/errors.ts';
import { shelter } from './shelter.ts';

/** Mail programs give up long before, and the time for reading grows with the square of it. */
const deepestNesting = 1_000;

export type HtmlNode = DomHandler['root']['children'][number];

class BoundedHandler extends DomHandler {
  override onopentag(name: string, attributes: Record<string, string>): void {
    super.onopentag(name, attributes);
    // The first is the document itself.
    if (this.tagStack.length - 1 <= deepestNesting) return;
    const message = 'In this HTML more than 1,000 elements stand inside each other. Close some of them.';
    throw new AppError('invalid_input', message);
  }
}

/** The nodes of HTML. Throws `invalid_input` when its elements stand too deep inside each other. */
export function parsed(html: string): HtmlNode[] {
  const handler = new BoundedHandler();
  new Parser(handler).end(html);
  return handler.root.children;
}

/** Throws `invalid_input` for HTML whose elements stand too deep inside each other. */
export function refuseDeep(html: string): void {
  parsed(shelter(html).source);
}
