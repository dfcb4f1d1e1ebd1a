import { Note } from '#platform/web/components/states.tsx';
import { formatCount } from '#platform/web/format.ts';
import type { TemplateField } from '../../contract/fields.ts';
import { useMergeFields } from '../editor/pick-field.tsx';
import classes from '../templates.module.css';
import type { Imported } from './imported.ts';

interface ReportProps {
  imported: Imported;
}

/** What was done to imported HTML, and what is left for a person to do. */
export function ImportReport({ imported }: ReportProps) {
  const { leftOut, fonts, turnedTags, leftTags } = imported;
  return (
    <>
      <ZipReport imported={imported} />
      {leftTags.length > 0 && (
        <Note title={`${formatCount(leftTags.length, 'merge tag')} could not be turned into ours`}>
          <ul className={classes.findings}>
            {leftTags.map(({ tag, words, line }) => (
              <li key={`${line} ${tag}`}>
                Line {line}: <code className={classes.tag}>{tag}</code> {words}
              </li>
            ))}
          </ul>
        </Note>
      )}
      <FieldsReport imported={imported} />
      {leftOut.length > 0 && (
        <Note tone="info" title="Taken out">
          <ul className={classes.findings}>
            {leftOut.map(({ what, count, line }) => (
              <li key={`${line} ${what}`}>
                Line {line}: {what}
                {count > 1 && ` (${formatCount(count, 'time')})`}
              </li>
            ))}
          </ul>
        </Note>
      )}
      {fonts.length > 0 && (
        <Note tone="info" title="Fonts from elsewhere stay">
          <ul className={classes.findings}>
            {fonts.map((font) => (
              <li key={font} className={classes.tag}>
                {font}
              </li>
            ))}
          </ul>
        </Note>
      )}
      {leftTags.length + turnedTags + leftOut.length + fonts.length === 0 && !imported.htmlFile && (
        <Note tone="info">Nothing had to be changed.</Note>
      )}
    </>
  );
}

/** Which fields the merge tags became, and which of them no contact has. */
function FieldsReport({ imported: { turnedTags, turnedFields } }: ReportProps) {
  const { data } = useMergeFields();
  if (turnedTags === 0) return null;
  const known = new Map(data?.items.map((field) => [field.name, field]));
  const missing = data
    ? turnedFields.filter(({ name }) => name !== ofMessage && isMissing(known.get(name)))
    : [];
  const present = turnedFields.filter((field) => !missing.includes(field));
  return (
    <>
      {missing.length > 0 && (
        <Note title={`${formatCount(missing.length, 'merge field')} that nobody has a value for yet`}>
          <ul className={classes.findings}>
            {missing.map((field) => (
              <Turned key={field.name} {...field} />
            ))}
          </ul>
          They stay empty. Import contacts with a column of this name, or write what stands there instead.
        </Note>
      )}
      <Note tone="info" title={`${formatCount(turnedTags, 'merge tag')} of Mailchimp became ours.`}>
        <ul className={classes.findings}>
          {present.map((field) => (
            <Turned
              key={field.name}
              {...field}
              words={field.name === ofMessage ? written : originOf(known.get(field.name))}
            />
          ))}
        </ul>
      </Note>
    </>
  );
}

/** What an inbox shows beside the subject. The message has it, so no list of fields does. */
const ofMessage = 'preheader';
const written = 'given when the campaign is written';

/** Extra fields come with imports; those of all contacts may be empty all the same. */
const isMissing = (field: TemplateField | undefined): boolean =>
  field === undefined || ((field.kind === 'contact' || field.kind === 'extra') && field.contacts === 0);

/** Who gives a value. */
function originOf(field: TemplateField | undefined): string {
  if (!field) return '';
  if (field.kind === 'sender') return 'from your settings, or made when it is sent';
  if (field.kind === 'message') return written;
  const count = field.contacts ?? 0;
  return `${formatCount(count, 'contact')} ${count === 1 ? 'has' : 'have'} one`;
}

type TurnedProps = Imported['turnedFields'][number] & { words?: string };

const Turned = ({ name, tag, line, words }: TurnedProps) => (
  <li>
    Line {line}: <code className={classes.tag}>{tag}</code> is{' '}
    <code className={classes.tag}>{`{{ ${name} }}`}</code>
    {words && `, ${words}`}
  </li>
);

/** What became of the images of a zip, and which of its files was read. */
function ZipReport({
  imported: { htmlFile, otherHtmlFiles = [], images = [], lostImages = [] },
}: ReportProps) {
  if (htmlFile === undefined) return null;
  return (
    <>
      {lostImages.length > 0 && (
        <Note title={`${formatCount(lostImages.length, 'image')} could not be brought in`}>
          <ul className={classes.findings}>
            {lostImages.map(({ file, words }) => (
              <li key={file}>
                <code className={classes.tag}>{file}</code> {words}
              </li>
            ))}
          </ul>
        </Note>
      )}
      {images.length > 0 && (
        <Note tone="info">{`${formatCount(images.length, 'image')} of the zip went to the library of images. New ones leave it again if you cancel.`}</Note>
      )}
      {otherHtmlFiles.length > 0 && (
        <Note tone="info" title="More than one file with HTML">
          <code className={classes.tag}>{htmlFile}</code> was read, and not{' '}
          <code className={classes.tag}>{otherHtmlFiles.slice(0, 10).join(', ')}</code>.
        </Note>
      )}
    </>
  );
}
