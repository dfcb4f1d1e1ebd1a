import { Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { TestForm } from '#features/templates/web/index.ts';
import { call, queryOptionsFor } from '#platform/web/api.ts';
import { variantName } from '../contract/ab-test.ts';
import { getCampaign, testCampaign } from '../contract.ts';

/** Asks to whom a test goes, and as whom it is filled. */
export function TestDialog({ id, onClose }: { id: number; onClose: () => void }) {
  const { data: campaign } = useQuery(queryOptionsFor(getCampaign, { params: { id } }));
  const [variant, setVariant] = useState(1);
  const variants = 1 + (campaign?.abTest?.variants.length ?? 0);
  return (
    <TestForm
      hint="People of this workspace. They get it as it will go out, with [Test] before the subject. Nothing is counted."
      send={(to, contactId) => {
        const body = { to, ...(contactId ? { contactId } : {}), ...(variant > 1 ? { variant } : {}) };
        return call(testCampaign, { params: { id }, body });
      }}
      onClose={onClose}
    >
      {variants > 1 && (
        <Select
          label="Variant"
          allowDeselect={false}
          data={Array.from({ length: variants }, (_, place) => ({
            value: String(place + 1),
            label: `Variant ${variantName(place + 1)}`,
          }))}
          value={String(variant)}
          onChange={(chosen) => setVariant(Number(chosen))}
        />
      )}
    </TestForm>
  );
}
