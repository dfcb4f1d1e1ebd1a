import { Menu } from '@mantine/core';
import { IconFilterPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ContactFilter } from '#features/audience/contract.ts';
import { getLists } from '#features/lists/contract.ts';
import { rulesOfFilter } from '#features/segments/rules/rules-of-filter.ts';
import { queryOptionsFor } from '#platform/web/api.ts';
import { useMay } from '#platform/web/current-user.ts';

/** Goes on with the filters on screen in the editor of segments. */
export function SegmentItem({ filter }: { filter: ContactFilter }) {
  const navigate = useNavigate();
  const mayEdit = useMay('editor');
  const chosen = filter.list ?? [];
  const lists = useQuery({ ...queryOptionsFor(getLists), enabled: chosen.length > 0 }).data;
  // Rules ask for lists that people fill. Until it is known which these are, they may be others.
  const areByHand = chosen.every((id) => lists?.some((list) => list.id === id && !list.isDynamic));
  const segmentRules = areByHand ? rulesOfFilter(filter) : null;
  if (!mayEdit) return null;
  const goOn = () =>
    segmentRules &&
    void navigate({
      to: '/lists/$id/rules',
      params: { id: 'new' },
      state: { segment: { name: '', description: '', segmentRules } },
    });
  return (
    <Menu.Item
      leftSection={<IconFilterPlus size={16} stroke={1.6} />}
      disabled={segmentRules === null}
      title={segmentRules === null ? 'A search, a source or a dynamic list cannot be a rule.' : undefined}
      onClick={goOn}
    >
      Save as a segment…
    </Menu.Item>
  );
}
