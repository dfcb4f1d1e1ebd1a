import { Page } from '#platform/web/components/page.tsx';

export default function ImportPage() {
  return <Page title="Import Data">{null}</Page>;
}
