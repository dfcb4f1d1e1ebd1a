import { Navigate, useParams } from '@tanstack/react-router';

/** The contacts of a list, `/lists/12`: the database with the list as its filter. */
export default function ListPage() {
  const { id } = useParams({ strict: false }) as { id: string };
  return <Navigate to="/email-database" search={{ list: Number(id) || undefined }} replace />;
}
