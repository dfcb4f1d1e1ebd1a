import {
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
} from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { html } from '@codemirror/lang-html';
import { closePercentBrace, liquid } from '@codemirror/lang-liquid';
import { bracketMatching, indentOnInput } from '@codemirror/language';
import { linter, lintGutter, lintKeymap } from '@codemirror/lint';
import { search, searchKeymap } from '@codemirror/search';
import { EditorState, type Extension } from '@codemirror/state';
import { EditorView, highlightActiveLineGutter, keymap, lineNumbers } from '@codemirror/view';
import type { TemplateField } from '../../../contract/fields.ts';
import { liquidCompletions } from './liquid-completions.ts';
import { codeLook } from './look.ts';
import { mjmlTags } from './mjml-tags.ts';

export interface CodeOptions {
  /** What it is called for those who do not see it. */
  label: string;
  /** The id of the element that says which keys do what. */
  describedBy: string;
  isMjml: boolean;
  /** Read each time something is completed. */
  fields: () => readonly TemplateField[];
}

/**
 * All that the code field can do. Tab is not among its keys, except between the places of a snippet
 * that was just put in: so the keyboard can leave the field.
 */
export const codeExtensions = ({ label, describedBy, isMjml, fields }: CodeOptions): Extension[] => [
  lintGutter(),
  lineNumbers(),
  highlightActiveLineGutter(),
  history(),
  indentOnInput(),
  bracketMatching(),
  closeBrackets(),
  autocompletion({ icons: false }),
  search({ top: true }),
  EditorState.phrases.of(phrases),
  linter(null),
  EditorView.lineWrapping,
  EditorView.contentAttributes.of({ 'aria-label': label, 'aria-describedby': describedBy, tabindex: '0' }),
  languageOf(isMjml),
  completing(fields),
  codeLook,
  keymap.of([
    ...closeBracketsKeymap,
    ...defaultKeymap,
    ...searchKeymap,
    ...historyKeymap,
    ...completionKeymap,
    ...lintKeymap,
  ]),
];

/** The words of the search, as buttons here are written. */
const phrases = {
  next: 'Next',
  previous: 'Previous',
  all: 'All',
  'match case': 'Match case',
  regexp: 'Pattern',
  'by word': 'Whole words',
  replace: 'Replace',
  'replace all': 'Replace all',
  close: 'Close the search',
};

/** Always the same source: what it answers is thrown away when another one asks. */
function completing(fields: CodeOptions['fields']): Extension {
  const sources = [{ autocomplete: liquidCompletions(fields) }];
  return EditorState.languageData.of(() => sources);
}

/**
 * Liquid around HTML or MJML. The package's own list of tags and filters is left out: templates
 * take other ones.
 */
function languageOf(isMjml: boolean): Extension {
  const base = html(isMjml ? { selfClosingTags: true, extraTags: mjmlTags } : {});
  return [
    liquid({ base }).language,
    base.support,
    base.language.data.of({ closeBrackets: { brackets: ['{', '"'] } }),
    closePercentBrace,
  ];
}
