import { sqlState } from '#platform/server/database.ts';
import { AppError } from '#platform/shared/errors.ts';
import { viewNameProblem } from '../rules.ts';

/** The name to store for what a person typed. Throws `invalid_input`. */
export function checkedName(given: string): string {
  const problem = viewNameProblem(given);
  if (problem !== null) throw new AppError('invalid_input', problem, { fields: { name: problem } });
  return given.trim();
}

/** Runs work that names a view, and says in words when another view has the name. */
export async function named<T>(name: string, shared: boolean, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (sqlState(error) !== '23505') throw error;
    const whose = shared ? 'A shared view' : 'A view of yours';
    const message = `${whose} is already called “${name}”. Give another name.`;
    throw new AppError('already_exists', message, { fields: { name: message }, cause: error });
  }
}
