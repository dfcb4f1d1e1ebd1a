import { Page } from '#platform/web/components/page.tsx';

export default function ImportsPage() {
  return <Page title="Import Data">{null}</Page>;
}
