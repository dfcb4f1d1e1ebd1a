import { type ComponentType, lazy, Suspense, useState } from 'react';

/** The props of a dialog that other screens may open. */
export interface DialogProps {
  opened: boolean;
  onClose: () => void;
}

/**
 * A dialog that is fetched when it first opens. It then stays mounted so that it can fade out. For
 * dialogs that a feature offers other screens through its door, which is part of the first page
 * load.
 */
export function deferredDialog(load: () => Promise<ComponentType<DialogProps>>): ComponentType<DialogProps> {
  const Dialog = lazy(async () => ({ default: await load() }));
  return function Deferred(props: DialogProps) {
    const [wanted, setWanted] = useState(props.opened);
    if (props.opened && !wanted) setWanted(true);
    return <Suspense fallback={null}>{wanted && <Dialog {...props} />}</Suspense>;
  };
}
