import { Button, type ButtonProps } from '@mantine/core';
import { useState } from 'react';

interface AsyncButtonProps extends ButtonProps {
  /**
   * A promise must not reject: report the failure where the person is looking. Without a promise,
   * the button does not wait.
   */
  onClick: () => unknown;
  title?: string;
  children: React.ReactNode;
}

/**
 * A button that waits for the work it starts. It keeps its width, shows the loader, and cannot be
 * pressed twice.
 */
export function AsyncButton({ onClick, children, ...rest }: AsyncButtonProps) {
  const [pending, setPending] = useState(false);
  const run = async () => {
    const work = onClick();
    // Not even for a moment, because the button would lose the focus that a closing dialog gives
    // back to it.
    if (!(work instanceof Promise)) return;
    setPending(true);
    try {
      await work;
    } finally {
      setPending(false);
    }
  };
  return (
    <Button {...rest} loading={pending || rest.loading === true} onClick={() => void run()}>
      {children}
    </Button>
  );
}
