import { type ButtonProps, Tooltip } from '@mantine/core';
import type { Role } from '#platform/shared/contract.ts';
import { useMay } from '../current-user.ts';
import { AsyncButton } from './async-button.tsx';

interface MayEditButtonProps extends ButtonProps {
  /** The role it takes; an editor's when absent. */
  takes?: Role;
  /**
   * What a person without that role reads on pointing at it: "Changing contacts needs the editor
   * role."
   */
  why: string;
  /** What everybody else reads there. */
  title?: string;
  /** A promise keeps the button waiting; it must not reject. */
  onClick: () => unknown;
  children: React.ReactNode;
}

/**
 * A button for what takes a role. Who lacks the role sees it dimmed and can read why; pressing it
 * does nothing.
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
