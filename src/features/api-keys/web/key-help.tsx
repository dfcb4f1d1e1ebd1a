import { Card } from '#platform/web/components/card.tsx';
import { Mono } from '#platform/web/components/mono.tsx';
import { keyLimit } from '../rules.ts';
import classes from './api-keys-page.module.css';

export const KeyHelp = () => (
  <Card title="How to use a key">
    <div className={classes.help}>
      <p>
        Send it with each call. A key may make {keyLimit.most} calls a minute; the answers say how many are
        left. <a href="/api/docs">All calls and their scopes</a>
      </p>
      <pre className={classes.code}>
        {`curl -H "Authorization: Bearer em_live_…" "${window.location.origin}/api/emails?limit=20"`}
      </pre>
      <p>
        A key acts for the person who made it. It never does more than they may, and stops when they leave;
        another admin can take it over.
      </p>
      <p>
        With the header <Mono>Idempotency-Key</Mono>, a POST that is sent twice is done once.
      </p>
    </div>
  </Card>
);
