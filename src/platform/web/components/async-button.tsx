import { Button, type ButtonProps } from '@mantine/core';
import { useMergedRef } from '@mantine/hooks';
import { type Ref, useEffect, useRef, useState } from 'react';

interface AsyncButtonProps extends ButtonProps {
  /**
   * A promise must not reject: report the failure where the person is looking. Without a promise,
   * the button does not wait.
   */
  onClick: () => unknown;
  title?: string;
  ref?: Ref<HTMLButtonElement>;
  children: React.ReactNode;
}

/**
 * A button that waits for the work it starts. It keeps its width, shows the loader, and cannot be
 * pressed twice. Then it has the focus again, unless something else has it,
 * and the page stays where it is.
 */
export function AsyncButton({ onClick, ref = null, children, ...rest }: AsyncButtonProps) {
  const [pending, setPending] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const hadFocus = useRef(false);
  useEffect(() => {
    if (!pending && hadFocus.current && document.activeElement === document.body)
      button.current?.focus({ preventScroll: true });
    if (!pending) hadFocus.current = false;
  }, [pending]);
  const run = async () => {
    const work = onClick();
    // Not even for a moment, because the button would lose the focus that a closing dialog gives
    // back to it.
    if (!(work instanceof Promise)) return;
    hadFocus.current = document.activeElement === button.current;
    setPending(true);
    try {
      await work;
    } finally {
      setPending(false);
    }
  };
  return (
    <Button
      {...rest}
      ref={useMergedRef(ref, button)}
      loading={pending || rest.loading === true}
      onClick={() => void run()}
    >
      {children}
    </Button>
  );
}
