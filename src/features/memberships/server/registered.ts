import { AppError } from '#platform/shared/errors.ts';
import type { MembershipsContext } from './context.ts';
import type { GroupKind } from './group-kind.ts';

/** The kind of group with this name. A product without it does not understand the work. */
export function kindOf({ kinds }: Pick<MembershipsContext, 'kinds'>, name: string): GroupKind {
  const kind = kinds.get(name);
  if (!kind) throw new AppError('internal', `This product has no ${name}s.`);
  return kind;
}
