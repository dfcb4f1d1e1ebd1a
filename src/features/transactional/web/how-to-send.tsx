import { LinkButton } from '#platform/web/components/links.tsx';
import classes from './transactional.module.css';

/** The call, ready to be pasted. */
export const HowToSend = () => (
  <div className={classes.how}>
    {/* It scrolls, so the keyboard must reach it. */}
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the same */}
    <section className={classes.code} tabIndex={0} aria-label="How to send a message">
      {`curl ${window.location.origin}/api/send \\
  -H "Authorization: Bearer $API_KEY" \\
  -H "Content-Type: application/json" \\
  -H "Idempotency-Key: order-1204" \\
  -d '{"to": "jane@shop.co.uk",
       "subject": "Your order {{ order }}",
       "html": "<p>Thank you for your order {{ order }}.</p>",
       "data": {"order": "A-1204"}}'`}
    </section>
    <LinkButton to="/api-keys" variant="default">
      Make an API key
    </LinkButton>
  </div>
);
