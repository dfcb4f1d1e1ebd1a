import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';

const ui = (name: string) => `var(--ui-${name})`;

/** Each colour has enough contrast on the ground of a field, in light and in dark. */
const colours = HighlightStyle.define([
  { tag: [tags.tagName, tags.className, tags.typeName], color: ui('primary-text') },
  { tag: [tags.attributeName, tags.propertyName], color: ui('accent-text') },
  { tag: [tags.attributeValue, tags.string, tags.number, tags.unit, tags.color], color: ui('success-text') },
  { tag: [tags.keyword, tags.controlKeyword, tags.definitionKeyword], color: ui('error-text') },
  { tag: [tags.operatorKeyword, tags.bool, tags.atom], color: ui('error-text') },
  { tag: [tags.variableName, tags.function(tags.variableName), tags.brace], color: ui('warning-text') },
  { tag: [tags.comment, tags.meta, tags.documentMeta, tags.processingInstruction], color: ui('dim') },
  { tag: [tags.angleBracket, tags.punctuation, tags.definitionOperator], color: ui('dim') },
  { tag: tags.invalid, color: ui('error-text'), textDecoration: 'underline' },
]);

const mono = "'JetBrains Mono Variable', ui-monospace, monospace";

const field = {
  '&': { height: '100%', color: ui('text'), backgroundColor: 'transparent', fontSize: 'inherit' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: mono, lineHeight: 'inherit', fontVariantLigatures: 'none' },
  '.cm-content': { padding: '8px 0', caretColor: ui('strong') },
  '.cm-line': { padding: '0 12px 0 8px' },
  '.cm-gutters': { backgroundColor: ui('sunk'), color: ui('dim'), borderRight: `1px solid ${ui('line')}` },
  '.cm-lineNumbers .cm-gutterElement': { minWidth: '28px', padding: '0 6px 0 4px' },
  '.cm-activeLineGutter': { backgroundColor: 'transparent', color: ui('strong') },
  '.cm-gutter-lint': { width: '16px' },
  '.cm-gutter-lint .cm-gutterElement': { padding: '3px 1px' },
};

const marks = {
  '&.cm-focused .cm-matchingBracket': { backgroundColor: ui('primary-tint'), color: ui('primary-text') },
  '&.cm-focused .cm-nonmatchingBracket': { backgroundColor: ui('error-tint'), color: ui('error-text') },
  '.cm-searchMatch': { backgroundColor: ui('warning-tint') },
  '.cm-searchMatch-selected': { outline: `2px solid ${ui('warning-dot')}` },
  '.cm-snippetField': { backgroundColor: ui('primary-tint') },
  '.cm-lintRange': { backgroundImage: 'none', textUnderlineOffset: '3px' },
  '.cm-lintRange-error': { textDecoration: `underline wavy ${ui('error-text')}` },
  '.cm-lintRange-warning': { textDecoration: `underline wavy ${ui('warning-text')}` },
  '.cm-lintRange-active': { backgroundColor: ui('hover') },
};

const overlays = {
  '.cm-tooltip': {
    color: ui('text'),
    backgroundColor: ui('raised'),
    border: `1px solid ${ui('line')}`,
    borderRadius: '6px',
    boxShadow: 'var(--mantine-shadow-md)',
    overflow: 'hidden',
    maxWidth: 'min(420px, 90vw)',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': { fontFamily: mono, fontSize: '13px', maxHeight: '240px' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': {
    color: `${ui('strong')} !important`,
    backgroundColor: `${ui('selected')} !important`,
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > completion-section': {
    color: ui('dim'),
    opacity: '1',
    borderBottomColor: ui('line'),
  },
  '.cm-completionDetail': { color: ui('dim'), fontStyle: 'normal', fontFamily: 'var(--mantine-font-family)' },
  '.cm-completionMatchedText': { textDecoration: 'none', fontWeight: '700' },
  '.cm-diagnostic': { padding: '6px 10px', fontFamily: 'var(--mantine-font-family)', fontSize: '13px' },
  '.cm-diagnostic-error': { borderLeftColor: ui('error-dot') },
  '.cm-diagnostic-warning': { borderLeftColor: ui('warning-dot') },
};

const control = {
  color: ui('text'),
  backgroundColor: ui('card'),
  backgroundImage: 'none',
  border: `1px solid ${ui('control-line')}`,
  borderRadius: '6px',
};

const panels = {
  '.cm-panels': { color: ui('text'), backgroundColor: ui('sunk'), fontFamily: 'var(--mantine-font-family)' },
  '.cm-panels.cm-panels-top': { borderBottom: `1px solid ${ui('line')}` },
  '.cm-panels.cm-panels-bottom': { borderTop: `1px solid ${ui('line')}` },
  '.cm-panel.cm-search': { padding: '8px 32px 8px 8px', fontSize: '13px' },
  '.cm-panel.cm-search label': {
    fontSize: '13px',
    display: 'inline-flex',
    alignItems: 'center',
    gap: '4px',
    verticalAlign: 'middle',
  },
  '.cm-panel button, .cm-panel button:hover': { color: ui('text') },
  '.cm-textfield, .cm-button': { ...control, fontSize: '13px', minHeight: '28px' },
  '.cm-textfield:focus-visible': { outline: `1px solid ${ui('link')}`, borderColor: ui('link') },
  '.cm-button:active': { backgroundImage: 'none', backgroundColor: ui('hover') },
  '.cm-panel.cm-panel-lint ul [aria-selected]': { backgroundColor: ui('selected'), color: ui('strong') },
};

/**
 * How code looks, in the names of the product's colours, so that light and dark follow the page.
 */
export const codeLook = [
  EditorView.theme({ ...field, ...marks, ...overlays, ...panels }),
  syntaxHighlighting(colours),
];
