import { Button } from '@mantine/core';
import { IconBookmark, IconChevronDown } from '@tabler/icons-react';
import { lazy, Suspense } from 'react';
import classes from './view-menu.module.css';
import type { ViewDialogProps, ViewPartProps } from './view-place.ts';

/*
 * What a screen with saved views puts on itself. The feature's door is part of the first page load,
 * so the parts behind it are fetched by the screen that shows them.
 */

const parts = () => import('./view-parts.tsx');
const LazyMenu = lazy(() => parts().then(({ ViewMenu: Part }) => ({ default: Part })));
const LazySave = lazy(() => parts().then(({ ViewSave: Part }) => ({ default: Part })));
const LazyDialog = lazy(() => parts().then(({ ViewDialog: Part }) => ({ default: Part })));

/**
 * The button with the name of the open view: the way to the others, and what can be done with it.
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

/** The button that keeps what the screen shows, there as long as it is kept nowhere. */
export const ViewSave = (props: ViewPartProps) => (
  <Suspense fallback={null}>
    <LazySave {...props} />
  </Suspense>
);

/** Asks for a name, and who is to see the view. */
export const ViewDialog = (props: ViewDialogProps) => (
  <Suspense fallback={null}>
    <LazyDialog {...props} />
  </Suspense>
);
