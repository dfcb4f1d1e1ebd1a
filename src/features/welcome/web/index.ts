import type { WebFeature } from '#platform/web/feature.ts';

export { SampleReceipt } from './sample-receipt.tsx';

export const welcomeFeature: WebFeature = {
  pages: [{ path: '/', access: 'public', load: () => import('./welcome-page.tsx') }],
};
