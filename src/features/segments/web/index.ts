// Only screens that are fetched when visited import this: nothing of it is part of the first page.
export { asEdited, rulesOf } from './draft.ts';
export { SegmentEditor } from './segment-editor.tsx';
export { isSimple, SimpleRules } from './simple-rules.tsx';
export { useDraft } from './use-draft.ts';
