import { Button, type ButtonProps } from '@mantine/core';
import { useState } from 'react';

interface AsyncButtonProps extends ButtonProps {
  /** Must not reject: report the failure where the person is looking. */
  onClick: () => Promise<unknown>;
  title?: string;
  children: React.ReactNode;
}

/** A button that waits for what it started: it keeps its width, shows the loader, and cannot be pressed twice. */
export function AsyncButton({ onClick, children, ...rest }: AsyncButtonProps) {
  const [pending, setPending] = useState(false);
  const run = async () => {
    setPending(true);
    try {
      await onClick();
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
