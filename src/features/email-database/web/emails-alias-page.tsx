import { Navigate } from '@tanstack/react-router';

/**
 * `/emails` is another name of the Email Database; what was searched for and filtered by comes
 * along.
 */
export default function EmailsAliasPage() {
  return <Navigate to="/email-database" search={(asked: Record<string, unknown>) => asked} replace />;
}
