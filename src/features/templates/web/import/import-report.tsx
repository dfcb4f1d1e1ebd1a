import { Note } from '#platform/web/components/states.tsx';
import { formatCount } from '#platform/web/format.ts';
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
      {turnedTags > 0 && (
        <Note tone="info">{formatCount(turnedTags, 'merge tag')} of Mailchimp became ours.</Note>
      )}
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
        <Note tone="info">{`${formatCount(images.length, 'image')} of the zip went to the library of images.`}</Note>
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
