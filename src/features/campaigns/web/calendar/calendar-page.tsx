import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { queryOptionsFor, words } from '#platform/web/api.ts';
import { Page } from '#platform/web/components/page.tsx';
import { ErrorState } from '#platform/web/components/states.tsx';
import { usePhone } from '#platform/web/components/use-phone.ts';
import { useMay } from '#platform/web/current-user.ts';
import { toastFailed } from '#platform/web/toast.tsx';
import { useUrlState } from '#platform/web/url-state.ts';
import { getCampaigns } from '../../contract.ts';
import { daysShown, isDay, londonDay, movedTo, steppedBy } from '../../rules/calendar.ts';
import { isMoving } from '../../rules/campaign.ts';
import { calendarSearch } from '../campaigns-search.ts';
import { CalendarBar } from './calendar-bar.tsx';
import { CalendarGrid, CalendarList } from './calendar-grid.tsx';
import { periodWords } from './day-words.ts';
import { entriesOf, type OnMove } from './entries.ts';
import { MoveDialog } from './move-dialog.tsx';
import { failed, useReschedule } from './use-reschedule.ts';

/** What goes out when. Days and times are London's. */
export default function CalendarPage() {
  const [{ view, day: asked, move }, change] = useUrlState(calendarSearch);
  const maySend = useMay('sender');
  const isPhone = usePhone();
  const reschedule = useReschedule();
  const now = new Date();
  const today = londonDay(now);
  const day = isDay(asked) ? asked : today;
  const days = daysShown(view, day);
  // What is archived has left all the same.
  const query = { archived: 'all', from: days[0] as string, to: days.at(-1) as string } as const;
  const { data, error } = useQuery({
    ...queryOptionsFor(getCampaigns, { query }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.some(isMoving) ? 5_000 : 60_000),
  });
  const moving = data?.find(({ id, status }) => id === move && status === 'scheduled');
  const onMove: OnMove = (id, to) => {
    const campaign = data?.find((one) => one.id === id);
    if (to === undefined) return change({ move: id });
    if (!campaign?.sendAt || londonDay(new Date(campaign.sendAt)) === to) return;
    reschedule(campaign, movedTo(new Date(campaign.sendAt), to)).catch((failure) =>
      toastFailed({ title: 'Error', message: words(failure, failed) }),
    );
  };
  const onStep = (count: -1 | 1) => change({ day: steppedBy(view, day, count) });
  const label = periodWords(view, day);
  const Days = isPhone ? CalendarList : CalendarGrid;
  return (
    <Page
      title="Calendar"
      parent={{ label: 'Campaigns', to: '/campaigns' }}
      purpose="What goes out when, London time."
    >
      <CalendarBar
        {...{ view, label, onStep }}
        onToday={() => change({ day: '' })}
        onView={(next) => change({ view: next })}
      />
      {error && !data ? (
        <ErrorState
          title="The calendar could not be loaded"
          error={error}
          description="What is scheduled leaves all the same."
        />
      ) : (
        <Days
          {...{ label, days, today, onStep }}
          month={view === 'month' ? day.slice(0, 7) : null}
          entries={entriesOf(data ?? [], now)}
          isLarge={view === 'week'}
          onMove={maySend ? onMove : undefined}
        />
      )}
      {moving && <MoveDialog campaign={moving} onClose={() => change({ move: undefined })} />}
    </Page>
  );
}
