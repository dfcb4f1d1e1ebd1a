import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { queryOptionsFor } from '#platform/web/api.ts';
import { Card } from '#platform/web/components/card.tsx';
import { Page } from '#platform/web/components/page.tsx';
import { PageSections, usePageSections } from '#platform/web/components/page-sections.tsx';
import { ErrorState, NoPermission } from '#platform/web/components/states.tsx';
import { useMay } from '#platform/web/current-user.ts';
import { getSettings, type SettingsSection } from '../contract.ts';
import { sections } from './fields.ts';
import { SectionCard } from './section-card.tsx';
import classes from './settings-page.module.css';
import { settingsPath } from './settings-path.ts';
import { useUnsaved } from './use-unsaved.tsx';

/** Every setting of the workspace, one card per section. Each card is saved separately. */
export default function SettingsPage() {
  const query = useQuery(queryOptionsFor(getSettings));
  const mayEdit = useMay('admin');
  const { dirty, noters, dialog } = useUnsaved();
  return (
    <Page title="Settings" purpose="How this workspace validates, imports, exports and keeps its data.">
      <div className={classes.layout}>
        <SectionLinks dirty={dirty} />
        <div className={classes.cards}>
          {!mayEdit && (
            <NoPermission
              title="Changing settings needs the admin role"
              description="Ask an owner or admin. You can still see what is set."
            />
          )}
          {query.isError && (
            <Card>
              <ErrorState
                title="The settings could not be loaded"
                error={query.error}
                onRetry={() => void query.refetch()}
              />
            </Card>
          )}
          {query.isPending && <Waiting />}
          {query.data &&
            sections.map((section) => (
              <SectionCard
                key={section.key}
                section={section}
                settings={query.data}
                mayEdit={mayEdit}
                onDirty={noters.get(section.key) ?? (() => undefined)}
              />
            ))}
          <PageSections page={settingsPath} />
        </div>
      </div>
      {dialog}
    </Page>
  );
}

/** Links to the cards. They also show which are not saved. */
function SectionLinks({ dirty }: { dirty: ReadonlySet<SettingsSection> }) {
  const added = usePageSections(settingsPath);
  return (
    <nav aria-label="Sections of the settings" className={classes.sections}>
      {sections.map(({ key, title }) => (
        <a key={key} href={`#${key}`} data-dirty={dirty.has(key) || undefined}>
          {title}
          {dirty.has(key) && <span className={classes.unsaved}>not saved</span>}
        </a>
      ))}
      {added.map(({ id, title }) => (
        <a key={id} href={`#${id}`}>
          {title}
        </a>
      ))}
    </nav>
  );
}

/** The sections without their values, at the same height. */
const Waiting = () =>
  sections.map(({ key, title, hint, fields }) => (
    <Card key={key} title={title} hint={hint}>
      <div className={classes.fields} aria-hidden>
        {fields.map(({ name }) => (
          <Skeleton key={name} height={52} animate={false} />
        ))}
      </div>
    </Card>
  ));
