import { AppError } from '#platform/shared/errors.ts';
import { renderDocument } from '../../rules/document/render.ts';
import { importedHtml } from '../../rules/imported-html.ts';
import { renderMjml } from '../../rules/mjml/render.ts';
import type { RenderAnswer, Rendered, RenderOrder } from './render-process.ts';

// The entry of the process that makes and cleans HTML.
async function work({ kind, given }: RenderOrder): Promise<Rendered[keyof Rendered]> {
  switch (kind) {
    case 'mjml':
      return renderMjml(given);
    case 'document':
      return renderDocument(given);
    case 'html':
      return importedHtml(given);
    case 'nothing':
      return null;
  }
}

/** Characters. Nothing that may be saved comes near, and all of it would go into our own memory. */
const mostCharacters = 4_000_000;

const sizeOf = (made: Rendered[keyof Rendered]): number =>
  typeof made === 'string' ? made.length : made === null ? 0 : 'html' in made ? made.html.length : 0;

async function answer(order: RenderOrder): Promise<RenderAnswer> {
  try {
    const made = await work(order);
    if (sizeOf(made) <= mostCharacters) return { ok: true, made };
    return {
      ok: false,
      message: 'This makes more than 1 MB of HTML. Take something out of it.',
      isRefusal: true,
    };
  } catch (error) {
    if (error instanceof AppError) return { ok: false, message: error.message, isRefusal: true };
    const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { ok: false, message, isRefusal: false };
  }
}

process.on('message', async (order: RenderOrder) => {
  process.send?.(await answer(order));
});
// It ends with the product. A signal to all of them lets the product finish what it has begun.
process.on('disconnect', () => process.exit());
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);
