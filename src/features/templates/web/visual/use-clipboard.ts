import { type RefObject, useEffect } from 'react';
import { copiedText } from '../../rules/document/copied-block.ts';
import type { Editor } from './use-editor.ts';

/**
 * Copy, cut and paste of blocks, by the browser's own events: they need no permission. In fields
 * and in words they stay what they are.
 */
export function useClipboard(root: RefObject<HTMLElement | null>, editor: Editor): void {
  useEffect(() => {
    const element = root.current;
    if (!element) return;
    const copy = (event: ClipboardEvent) => {
      const block = editor.selected?.block;
      if (!block || isInWords(event)) return;
      event.clipboardData?.setData('text/plain', copiedText(block));
      event.preventDefault();
      if (event.type === 'copy') editor.tell('Copied.');
      else editor.remove(block.id);
    };
    const paste = (event: ClipboardEvent) => {
      if (isInWords(event)) return;
      event.preventDefault();
      editor.paste(event.clipboardData?.getData('text/plain') ?? '');
    };
    element.addEventListener('copy', copy);
    element.addEventListener('cut', copy);
    element.addEventListener('paste', paste);
    return () => {
      element.removeEventListener('copy', copy);
      element.removeEventListener('cut', copy);
      element.removeEventListener('paste', paste);
    };
  }, [root, editor]);
}

function isInWords({ target }: ClipboardEvent): boolean {
  const element = target instanceof Element ? target : null;
  if (element?.closest('input, textarea, [contenteditable="true"]')) return true;
  // Words that somebody has marked elsewhere in the editor are copied as words.
  return !getSelection()?.isCollapsed && !element?.closest('[role="tree"]');
}
