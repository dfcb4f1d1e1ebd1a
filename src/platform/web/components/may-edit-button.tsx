import { type ButtonProps, Tooltip } from '@mantine/core';
import type { Role } from '#platform/shared/contract.ts';
import { useMay } from '../current-user.ts';
import { AsyncButton } from './async-button.tsx';

interface MayEditButtonProps extends ButtonProps {
  /** The role it needs. Absent: editor. */
  takes?: Role;
  /** The tooltip for a person without that role: "Changing contacts needs the editor role." */
  why: string;
  /** The tooltip for everybody else. */
  title?: string;
  /** A promise keeps the button waiting. It must not reject. */
  onClick: () => unknown;
  children: React.ReactNode;
}

/**
 * A button for an action that needs a role. People without the role see it dimmed and can read why.
 * Pressing it then does nothing.
 */
export function MayEditButton({ takes = 'editor', why, title, onClick, ...rest }: MayEditButtonProps) {
  const may = useMay(takes);
  return (
    <Tooltip label={why} disabled={may} multiline maw={280}>
      <AsyncButton
        {...rest}
        {...(may && title !== undefined ? { title } : {})}
        {...(may ? {} : { 'data-disabled': true, 'aria-disabled': true })}
        onClick={() => may && onClick()}
      />
    </Tooltip>
  );
}
