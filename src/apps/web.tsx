import '#platform/web/global.css';
import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { accountFeature } from '#features/account/web/index.ts';
import { activitiesFeature } from '#features/activities/web/index.ts';
import { adminFeature } from '#features/admin/web/index.ts';
import { apiKeysFeature } from '#features/api-keys/web/index.ts';
import { audienceFeature } from '#features/audience/web/index.ts';
import { auditFeature } from '#features/audit/web/index.ts';
import { basisFeature } from '#features/basis/web/index.ts';
import { binFeature } from '#features/bin/web/index.ts';
import { bouncesFeature } from '#features/bounces/web/index.ts';
import { campaignsFeature } from '#features/campaigns/web/index.ts';
import { contactsFeature } from '#features/contacts/web/index.ts';
import { dashboardFeature } from '#features/dashboard/web/index.ts';
import { emailDatabaseFeature } from '#features/email-database/web/index.ts';
import { fieldChangesFeature } from '#features/field-changes/web/index.ts';
import { imagesFeature } from '#features/images/web/index.ts';
import { importsFeature } from '#features/imports/web/index.ts';
import { listsFeature } from '#features/lists/web/index.ts';
import { mailFeature } from '#features/mail/web/index.ts';
import { maintenanceFeature } from '#features/maintenance/web/index.ts';
import { membershipsFeature } from '#features/memberships/web/index.ts';
import { paceFeature } from '#features/pace/web/index.ts';
import { reviewFeature } from '#features/review/web/index.ts';
import { sendersFeature } from '#features/senders/web/index.ts';
import { sendingFeature } from '#features/sending/web/index.ts';
import { settingsFeature } from '#features/settings/web/index.ts';
import { loadShell, NotFoundPage } from '#features/shell/web/index.ts';
import { currentUserOptions, signInFeature } from '#features/sign-in/web/index.ts';
import { smtpServersFeature } from '#features/smtp-servers/web/index.ts';
import { suppressionsFeature } from '#features/suppressions/web/index.ts';
import { tagsFeature } from '#features/tags/web/index.ts';
import { tasksFeature } from '#features/tasks/web/index.ts';
import { teamFeature } from '#features/team/web/index.ts';
import { templatesFeature } from '#features/templates/web/index.ts';
import { trackingFeature } from '#features/tracking/web/index.ts';
import { transactionalFeature } from '#features/transactional/web/index.ts';
import { verificationFeature } from '#features/verification/web/index.ts';
import { viewsFeature } from '#features/views/web/index.ts';
import { welcomeFeature } from '#features/welcome/web/index.ts';
import { ApiError } from '#platform/web/api.ts';
import { colourSchemeManager } from '#platform/web/colour-scheme.ts';
import type { WebFeature } from '#platform/web/feature.ts';
import { createQueryClient, noteTopics } from '#platform/web/query-client.ts';
import { createAppRouter } from '#platform/web/router.tsx';
import { cssVariablesResolver, theme } from '#platform/web/theme.ts';

/**
 * Every feature with screens. Their declarations make up the sidebar, the palette and the routes.
 */
const features: readonly WebFeature[] = [
  welcomeFeature,
  signInFeature,
  teamFeature,
  accountFeature,
  dashboardFeature,
  contactsFeature,
  audienceFeature,
  binFeature,
  basisFeature,
  paceFeature,
  smtpServersFeature,
  fieldChangesFeature,
  emailDatabaseFeature,
  viewsFeature,
  campaignsFeature,
  sendingFeature,
  templatesFeature,
  trackingFeature,
  bouncesFeature,
  imagesFeature,
  membershipsFeature,
  tagsFeature,
  listsFeature,
  suppressionsFeature,
  importsFeature,
  transactionalFeature,
  apiKeysFeature,
  verificationFeature,
  reviewFeature,
  auditFeature,
  mailFeature,
  tasksFeature,
  activitiesFeature,
  settingsFeature,
  sendersFeature,
  maintenanceFeature,
  adminFeature,
];

const queryClient = createQueryClient({
  onSignedOut: () => {
    // The session has ended. Forget the person and let the current screen's guard lead to sign-in.
    if (queryClient.getQueryData(currentUserOptions.queryKey) === null) return;
    queryClient.setQueryData(currentUserOptions.queryKey, null);
    void router.invalidate();
  },
  // Once the shell knows, it shows what to set up.
  onTwoFactorRequired: () => {
    if (queryClient.getQueryData(currentUserOptions.queryKey)?.needsTwoFactor) return;
    void queryClient.invalidateQueries({ queryKey: currentUserOptions.queryKey });
  },
  // Reading who is signed in is refused too then, and the screen tells of it. Where that read has
  // failed for another reason, it is made again.
  onWorkspaceChanged: () => {
    const error = queryClient.getQueryState(currentUserOptions.queryKey)?.error;
    if (error instanceof ApiError && error.code === 'workspace_changed') return;
    void queryClient.invalidateQueries({ queryKey: currentUserOptions.queryKey });
  },
});
noteTopics(queryClient, features);

const router = createAppRouter({
  features,
  currentUser: currentUserOptions,
  isSignedIn: async () => (await queryClient.ensureQueryData(currentUserOptions)) !== null,
  signInPath: '/auth',
  shell: loadShell,
  notFound: NotFoundPage,
});

const place = document.getElementById('root');
if (!place) throw new Error('The page has no element to draw into.');
const app = (
  <StrictMode>
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariablesResolver}
      colorSchemeManager={colourSchemeManager()}
      defaultColorScheme="auto"
    >
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>
);
// The spinner of index.html stands until the first screen's code is there. React would hold a
// screen back for 300 ms after a spinner of its own. No `await`: the screens' code needs this file.
void router.load().finally(() => createRoot(place).render(app));
