import { useQuery } from '@tanstack/react-query';
import { queryOptionsFor } from '#platform/web/api.ts';
import { Card } from '#platform/web/components/card.tsx';
import { ErrorState } from '#platform/web/components/states.tsx';
import { getBrand } from '../../contract.ts';
import { BrandForm } from './brand-form.tsx';

const hint =
  'Visual templates begin with this look and this logo. Those that are there keep theirs, until it is applied to all, or somebody presses “Take the brand’s look” in their style.';

/** The settings' card for how emails look. */
export default function BrandCard() {
  const { data, isError, error, refetch } = useQuery(queryOptionsFor(getBrand));
  return (
    <Card title="Email brand" hint={hint}>
      {isError && (
        <ErrorState title="The brand could not be loaded" error={error} onRetry={() => void refetch()} />
      )}
      {data && <BrandForm kept={data} />}
    </Card>
  );
}
