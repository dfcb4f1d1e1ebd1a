import { FateBar, type FateCounts, FateText } from '#platform/web/components/fate-bar.tsx';
import classes from './sample-receipt.module.css';

/** An invented file that shows what an import reports. Its five figures add up to its rows. */
const rows: readonly { line: number; text: string; fate: keyof FateCounts; words?: string }[] = [
  { line: 2, text: '"Priya Nair";priya.nair@harrowgatefoods.co.uk', fate: 'imported' },
  {
    line: 3,
    text: '"P Nair";PRIYA.NAIR@harrowgatefoods.co.uk',
    fate: 'duplicates',
    words: 'Duplicate of line 2',
  },
  {
    line: 4,
    text: '"Rafiq Chowdhury";r.chowdhury@leedsweavers.couk',
    fate: 'invalid',
    words: 'Did you mean .co.uk?',
  },
  { line: 5, text: '"";info@keltic-foods.ie', fate: 'nonUk', words: 'Non-UK, ends in .ie' },
  {
    line: 6,
    text: '"Dewi Pritchard";d.pritchard@brecondrapers.co.uk',
    fate: 'suppressed',
    words: 'Unsubscribed 2 Nov',
  },
  { line: 7, text: '"Tom Ashdown";tom.ashdown@bramleyjoinery.co.uk', fate: 'imported' },
];
const counts: FateCounts = {
  imported: 201_944,
  duplicates: 21_873,
  invalid: 6_412,
  nonUk: 15_240,
  suppressed: 2_841,
};

/** What an import looks like, row by row: the picture on the signed-out screens. */
export function SampleReceipt() {
  return (
    <figure className={classes.card} aria-label="An example of an import and what became of each row">
      <figcaption className={classes.head}>
        <span className={classes.file}>trade-show-2026.csv</span>
        <span className={classes.hint}>248,310 rows in 7.1 s</span>
      </figcaption>
      <ol className={classes.rows}>
        {rows.map(({ line, text, fate, words }) => (
          <li key={line} className={classes.row}>
            <span className={classes.line}>{line}</span>
            <span className={classes.text}>{text}</span>
            <FateText fate={fate}>{words}</FateText>
          </li>
        ))}
      </ol>
      <div className={classes.foot}>
        <FateBar counts={counts} height={14} withShares={false} />
      </div>
    </figure>
  );
}
