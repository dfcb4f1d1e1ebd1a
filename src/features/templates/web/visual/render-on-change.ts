import { useEffect, useRef, useState } from 'react';
import type { TemplateDocument } from '../../rules/document/schema.ts';

/** Fetched apart from the editor: MJML is ten times as large as all the rest of it. */
const renderer = () => import('../../rules/document/render.ts');
// While the editor itself is drawn.
void renderer().catch(() => undefined);

export interface Rendered {
  html: string;
  document: TemplateDocument;
}

/**
 * The HTML of the document, through the same code as what is sent. One run at a time; while it
 * runs, only the newest change waits.
 */
export function useRendered(document: TemplateDocument): { rendered: Rendered | null; failed: boolean } {
  const [rendered, setRendered] = useState<Rendered | null>(null);
  const [failed, setFailed] = useState(false);
  const wanted = useRef(document);
  const isRunning = useRef(false);
  useEffect(() => {
    wanted.current = document;
    if (isRunning.current) return;
    isRunning.current = true;
    void renderUntilNewest(wanted, setRendered)
      .then(() => setFailed(false))
      .catch(() => setFailed(true))
      .finally(() => {
        isRunning.current = false;
      });
  }, [document]);
  return { rendered, failed };
}

async function renderUntilNewest(
  wanted: { current: TemplateDocument },
  done: (rendered: Rendered) => void,
): Promise<void> {
  const { renderDocument } = await renderer();
  let document: TemplateDocument;
  do {
    document = wanted.current;
    done({ html: await renderDocument(document, { marked: true }), document });
  } while (document !== wanted.current);
}
