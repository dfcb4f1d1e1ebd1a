import { Navigate } from '@tanstack/react-router';

/** `/emails` is another name for the Email Database. The search and the filters carry over. */
export default function EmailsAliasPage() {
  return <Navigate to="/email-database" search={(asked: Record<string, unknown>) => asked} replace />;
}
