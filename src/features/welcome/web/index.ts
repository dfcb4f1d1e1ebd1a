import type { WebFeature } from '#platform/web/feature.ts';

export { Pitch } from './pitch.tsx';
export { SampleReceipt } from './sample-receipt.tsx';

export const welcomeFeature: WebFeature = {
  pages: [{ path: '/', access: 'public', load: () => import('./welcome-page.tsx') }],
};
