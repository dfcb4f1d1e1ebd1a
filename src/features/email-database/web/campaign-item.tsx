import { Menu } from '@mantine/core';
import { IconMailFast } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import type { ContactFilter } from '#features/audience/contract.ts';
import { useMay } from '#platform/web/current-user.ts';

/** Begins a campaign that goes to whom the filters on screen mean. */
export function CampaignItem({ filter }: { filter: ContactFilter }) {
  const navigate = useNavigate();
  const mayEdit = useMay('editor');
  if (!mayEdit) return null;
  const isFiltered = Object.keys(filter).length > 0;
  const to = isFiltered ? { to: `filter ${JSON.stringify(filter)}` } : {};
  const begin = () => void navigate({ to: '/campaigns', search: { dialog: 'new', ...to } as never });
  return (
    <Menu.Item leftSection={<IconMailFast size={16} stroke={1.6} />} onClick={begin}>
      Send them a campaign…
    </Menu.Item>
  );
}
