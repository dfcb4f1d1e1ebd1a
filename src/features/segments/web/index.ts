// Only screens that are fetched when visited import this: nothing of it is part of the first page.
export { asEdited, draftOf, rulesOf } from './draft.ts';
export { SegmentEditor } from './segment-editor.tsx';
export { isSimple, SimpleRules } from './simple-rules.tsx';
export { type DraftOnScreen, useDraft } from './use-draft.ts';
