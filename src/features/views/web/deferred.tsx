import { Button } from '@mantine/core';
import { IconBookmark, IconChevronDown } from '@tabler/icons-react';
import { deferred } from '#platform/web/components/deferred.tsx';
import classes from './view-menu.module.css';
import type { ViewDialogProps, ViewPartProps } from './view-place.ts';

/*
 * What a screen with saved views puts on itself. The feature's entry is part of the first page
 * load, so the screen that shows these parts fetches them.
 */

const parts = () => import('./view-parts.tsx');

/**
 * The button with the name of the open view. Leads to the other views and to what can be done with
 * it.
 */
export const ViewMenu = deferred<ViewPartProps>(
  async () => (await parts()).ViewMenu,
  ({ place }) => (
    <Button
      size="xs"
      variant="default"
      className={classes.button}
      disabled
      leftSection={<IconBookmark size={14} stroke={1.6} />}
      rightSection={<IconChevronDown size={14} stroke={1.6} />}
    >
      {place.allLabel}
    </Button>
  ),
);

/** The button that saves what the screen shows. Shown as long as that is not saved. */
export const ViewSave = deferred<ViewPartProps>(async () => (await parts()).ViewSave);

/** Asks for a name and who may see the view. */
export const ViewDialog = deferred<ViewDialogProps>(async () => (await parts()).ViewDialog);
