import { mayAs, type Role } from '#platform/shared/contract.ts';
import { AppError } from '#platform/shared/errors.ts';

/** Who works with views. */
export interface Person {
  workspaceId: number;
  userId: number;
  email: string;
  role: Role;
}

/** Throws `forbidden` unless the person may work with shared views. */
export function needEditor({ role }: Person): void {
  if (mayAs(role, 'editor')) return;
  throw new AppError(
    'forbidden',
    `Shared views need the editor role; yours is ${role}. You can save a view for yourself.`,
  );
}
