import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { withUniqueIds } from '../../rules/document/edits.ts';
import { beginHistory, type History, record, redo, undo } from '../../rules/document/history.ts';
import type { TemplateDocument } from '../../rules/document/schema.ts';
import { Echoes } from './echoes.ts';
import { newId } from './new-id.ts';

export interface EditedDocument {
  document: TemplateDocument;
  /** `kind`: following changes of the same kind are one step of undo. */
  change: (next: TemplateDocument, kind?: string) => void;
  undo: () => void;
  redo: () => void;
  canUndo: boolean;
  canRedo: boolean;
}

/** The document with its history. What comes from outside is one more step of it. */
export function useDocument(
  given: TemplateDocument,
  onChange: (document: TemplateDocument) => void,
): EditedDocument {
  const [history, setHistory] = useState<History<TemplateDocument>>(() =>
    beginHistory(withUniqueIds(given, newId)),
  );
  const latest = useRef(history);
  const [echoes] = useState(() => new Echoes(given));
  const tell = useRef(onChange);
  tell.current = onChange;

  const go = useCallback(
    (next: History<TemplateDocument>) => {
      const before = latest.current;
      latest.current = next;
      setHistory(next);
      if (next.present === before.present) return;
      echoes.tell(next.present);
      tell.current(next.present);
    },
    [echoes],
  );

  useEffect(() => {
    if (!echoes.isDecision(given, latest.current.present)) return;
    if (JSON.stringify(given) === JSON.stringify(latest.current.present)) return;
    go(record(latest.current, withUniqueIds(given, newId), { at: Date.now() }));
  }, [given, go, echoes]);

  return useMemo(
    () => ({
      document: history.present,
      change: (next, kind) => go(record(latest.current, next, { kind, at: Date.now() })),
      undo: () => go(undo(latest.current)),
      redo: () => go(redo(latest.current)),
      canUndo: history.past.length > 0,
      canRedo: history.future.length > 0,
    }),
    [history, go],
  );
}
