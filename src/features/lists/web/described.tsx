import { Tooltip } from '@mantine/core';
import { useInViewport } from '@mantine/hooks';
import { IconAlertCircle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { queryOptionsFor } from '#platform/web/api.ts';
import { getList, type List } from '../contract.ts';
import classes from './lists-page.module.css';

/** What a list is, in a cell: its description, or whom the rules of a dynamic one mean. */
export const Described = (list: List) =>
  list.isDynamic ? <ByRules {...list} /> : <span title={list.description ?? ''}>{list.description}</span>;

/** The words are asked for when the row is on the screen: there may be a thousand lists. */
function ByRules({ id, description }: List) {
  const { ref, inViewport } = useInViewport<HTMLSpanElement>();
  const { data } = useQuery({ ...queryOptionsFor(getList, { params: { id } }), enabled: inViewport });
  if (data?.problem)
    return (
      <Tooltip label={data.problem} multiline maw={360}>
        <span ref={ref} className={classes.words}>
          <IconAlertCircle size={16} stroke={1.6} aria-hidden />
          <span className={`${classes.cut} ${classes.broken}`}>{data.problem}</span>
        </span>
      </Tooltip>
    );
  const words = [description, data?.words].filter(Boolean).join('. ');
  return (
    <span ref={ref} className={classes.words} title={words}>
      <span className={classes.cut}>{words}</span>
    </span>
  );
}
