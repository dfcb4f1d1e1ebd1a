import { Tabs } from '@mantine/core';
import { formatNumber } from '#platform/web/format.ts';
import { sumOf } from './counts.ts';
import classes from './suppressions-page.module.css';
import { tabs } from './suppressions-search.ts';
import type { SuppressionList } from './use-suppression-list.ts';
import { tabLabels } from './words.ts';

/** The two lists, with the number of entries on each. */
export function ListTabs({ list }: { list: SuppressionList }) {
  const { state, change, summary } = list;
  return (
    <Tabs
      className={classes.tabs}
      value={state.tab}
      onChange={(next) =>
        change({
          tab: tabs.find((one) => one === next) ?? 'emails',
          page: 1,
          search: '',
          reason: undefined,
        })
      }
    >
      <Tabs.List>
        {tabs.map((one) => (
          <Tabs.Tab key={one} value={one}>
            {tabLabels[one]}
            <span className={classes.count}>{summary && formatNumber(sumOf(summary[one]))}</span>
          </Tabs.Tab>
        ))}
      </Tabs.List>
    </Tabs>
  );
}
