import { longestPreheader } from '../../rules/document/schema.ts';
import { preheaderLength, shownPreheader } from '../../rules/preheader.ts';
import { WordsField } from './settings-fields.tsx';
import type { Editor } from './use-editor.ts';
import classes from './visual.module.css';

/** The words that mail programs show beside the subject. */
export function PreheaderField({ editor: { document, setDocument } }: { editor: Editor }) {
  const { preheader = '' } = document;
  return (
    <div className={classes.preheader}>
      <span aria-hidden>Preheader</span>
      <WordsField
        isBare
        label="Preheader"
        placeholder="Shown beside the subject"
        value={preheader}
        onChange={(words) =>
          setDocument({ ...document, preheader: words.slice(0, longestPreheader) || undefined }, 'preheader')
        }
      />
      {preheader !== '' && (
        <span title={`Mail programs show about ${shownPreheader} characters.`}>
          {preheaderLength(preheader)} of {shownPreheader}
        </span>
      )}
    </div>
  );
}
