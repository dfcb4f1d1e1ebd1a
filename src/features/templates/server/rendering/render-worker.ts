import { parentPort } from 'node:worker_threads';
import { AppError } from '#platform/shared/errors.ts';
import { renderDocument } from '../../rules/document/render.ts';
import { importedHtml } from '../../rules/imported-html.ts';
import { renderMjml } from '../../rules/mjml/render.ts';
import type { RenderAnswer, Rendered, RenderOrder } from './render-thread.ts';

// The entry of the thread that makes and cleans HTML.
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

async function answer(order: RenderOrder): Promise<RenderAnswer> {
  try {
    return { ok: true, made: await work(order) };
  } catch (error) {
    if (error instanceof AppError) return { ok: false, message: error.message, isRefusal: true };
    const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { ok: false, message, isRefusal: false };
  }
}

parentPort?.on('message', async (order: RenderOrder) => {
  parentPort?.postMessage(await answer(order));
});
