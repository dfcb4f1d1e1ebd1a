import { Navigate } from '@tanstack/react-router';

/** `/import` is another name of `/imports`. */
export default function ImportsAlias() {
  return <Navigate to="/imports" replace />;
}
