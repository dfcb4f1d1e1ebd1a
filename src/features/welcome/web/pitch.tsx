import classes from './pitch.module.css';

/** What the product is for, in two sentences. */
export function Pitch({ heading: Heading }: { heading: 'h1' | 'h2' }) {
  return (
    <>
      <Heading className={classes.headline}>
        Know every address
        <br />
        before you send to it.
      </Heading>
      <p className={classes.lead}>
        Import a list, see what happens to each row, and mail only the people you may mail. Made for UK
        senders, up to 15 million addresses.
      </p>
    </>
  );
}
