import { type ComponentType, type ReactNode, useEffect, useState } from 'react';

/**
 * A component that is fetched when it is first drawn; until then its place is held. A failed fetch
 * reaches the next error boundary, and is tried again when the component is drawn anew. `lazy` with
 * `Suspense` would keep what has arrived back: React shows it 300 ms after the last placeholder at
 * the earliest.
 */
export function deferred<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  placeholder: (props: Props) => ReactNode = () => null,
): ComponentType<Props> {
  let fetched: ComponentType<Props> | undefined;
  return function Deferred(props: Props) {
    const [Part, setPart] = useState(() => fetched);
    const [failure, setFailure] = useState<{ reason: unknown } | null>(null);
    useEffect(() => {
      if (fetched) return setPart(() => fetched);
      load().then(
        (loaded) => {
          fetched = loaded;
          setPart(() => loaded);
        },
        (reason: unknown) => setFailure({ reason }),
      );
    }, []);
    if (failure) throw failure.reason;
    return Part ? <Part {...props} /> : placeholder(props);
  };
}

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
  const Dialog = deferred(async () => openedLater(await load()));
  return function DeferredDialog(props: DialogProps) {
    const [wanted, setWanted] = useState(props.opened);
    if (props.opened && !wanted) setWanted(true);
    return wanted && <Dialog {...props} />;
  };
}

/**
 * A dialog that opens when it is there. The kit notes what had the focus as a dialog opens; one
 * that is opened from the start gives the focus back to nothing.
 */
const openedLater = (Dialog: ComponentType<DialogProps>) =>
  function OpenedLater(props: DialogProps) {
    const [isThere, setThere] = useState(false);
    useEffect(() => setThere(true), []);
    return <Dialog {...props} opened={props.opened && isThere} />;
  };
