import { Button, Popover } from '@mantine/core';
import { IconColumns3 } from '@tabler/icons-react';
import { useState } from 'react';
import { ColumnList, type ColumnListProps } from './column-list.tsx';
import actions from './list-actions.module.css';

/** Which columns the table shows, and in which order. A change takes effect at once. */
export function ColumnChooser(props: ColumnListProps) {
  const [opened, setOpened] = useState(false);
  return (
    <Popover
      opened={opened}
      onChange={setOpened}
      position="bottom-end"
      width={300}
      trapFocus
      returnFocus
      withRoles={false}
    >
      <Popover.Target>
        <Button
          size="xs"
          variant="subtle"
          color="gray"
          className={actions.gives}
          title="Columns"
          leftSection={<IconColumns3 size={14} stroke={1.6} />}
          aria-expanded={opened}
          aria-haspopup="dialog"
          onClick={() => setOpened(!opened)}
        >
          Columns
        </Button>
      </Popover.Target>
      <Popover.Dropdown p={0} role="dialog" aria-label="Columns">
        <ColumnList {...props} />
      </Popover.Dropdown>
    </Popover>
  );
}
