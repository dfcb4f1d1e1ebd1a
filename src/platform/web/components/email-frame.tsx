import classes from './email-frame.module.css';

/**
 * An email as it looks. `page` is a whole HTML document. Links open in a tab of their own, and
 * nothing in the email runs.
 */
export const EmailFrame = ({ to, page }: { to: string; page: string }) => (
  <iframe
    className={classes.frame}
    title={`Message to ${to}`}
    sandbox="allow-popups allow-popups-to-escape-sandbox"
    srcDoc={page}
  />
);
