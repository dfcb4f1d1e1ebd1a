import { useQuery } from '@tanstack/react-query';
import { queryOptionsFor } from '#platform/web/api.ts';
import { Card } from '#platform/web/components/card.tsx';
import { ErrorLine } from '#platform/web/components/states.tsx';
import { getPace } from '../contract.ts';
import { PaceForm } from './pace-form.tsx';
import { Receivers } from './receivers.tsx';
import { WarmUps } from './warm-ups.tsx';

/** The settings' card for how fast campaigns leave. */
export default function PaceCard() {
  const { data, error } = useQuery(queryOptionsFor(getPace));
  return (
    <Card
      title="Sending pace"
      hint="How fast campaigns leave. Messages to one person, such as a reset password, are never held back"
    >
      {error && !data && <ErrorLine title="The sending pace could not be loaded." error={error} />}
      {data && <PaceForm saved={data} />}
      {data && <Receivers saved={data} />}
      {data && <WarmUps saved={data} />}
    </Card>
  );
}
