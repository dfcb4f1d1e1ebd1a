import { Button } from '@mantine/core';
import { IconBookmark, IconChevronDown } from '@tabler/icons-react';
import { lazy, Suspense } from 'react';
import classes from './view-menu.module.css';
import type { ViewDialogProps, ViewPartProps } from './view-place.ts';

/*
 * What a screen with saved views puts on itself. The feature's entry is part of the first page
 * load, so the screen that shows these parts fetches them.
 */

const parts = () => import('./view-parts.tsx');
const LazyMenu = lazy(() => parts().then(({ ViewMenu: Part }) => ({ default: Part })));
const LazySave = lazy(() => parts().then(({ ViewSave: Part }) => ({ default: Part })));
const LazyDialog = lazy(() => parts().then(({ ViewDialog: Part }) => ({ default: Part })));

/**
 * The button with the name of the open view. Leads to the other views and to what can be done with
 * it.
 */
export const ViewMenu = (props: ViewPartProps) => (
  <Suspense
    fallback={
      <Button
        size="xs"
        variant="default"
        className={classes.button}
        disabled
        leftSection={<IconBookmark size={14} stroke={1.6} />}
        rightSection={<IconChevronDown size={14} stroke={1.6} />}
      >
        {props.place.allLabel}
      </Button>
    }
  >
    <LazyMenu {...props} />
  </Suspense>
);

/** The button that saves what the screen shows. Shown as long as that is not saved. */
export const ViewSave = (props: ViewPartProps) => (
  <Suspense fallback={null}>
    <LazySave {...props} />
  </Suspense>
);

/** Asks for a name and who may see the view. */
export const ViewDialog = (props: ViewDialogProps) => (
  <Suspense fallback={null}>
    <LazyDialog {...props} />
  </Suspense>
);
