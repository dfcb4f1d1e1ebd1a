import { Popover } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { TaskMark, TaskProgress } from '#platform/web/components/task-progress.tsx';
import { formatCount } from '#platform/web/format.ts';
import { dismissTask, type Task, useTasks } from '#platform/web/tasks.ts';
import classes from './header.module.css';

/** The tray's text in the header: how many tasks run, otherwise how the last one ended. */
export function trayWords(tasks: readonly Task[]): string {
  const running = tasks.filter(({ state }) => state === 'running').length;
  if (running > 0) return formatCount(running, 'task');
  const last = tasks[tasks.length - 1];
  return last?.endedLabel ?? last?.label ?? '';
}

/** Long work, shown everywhere in the product. Ended tasks disappear when the tray is closed. */
export function TaskTray() {
  const tasks = useTasks();
  const [opened, setOpened] = useState(false);
  const close = () => {
    setOpened(false);
    for (const { id, state } of tasks) if (state !== 'running') dismissTask(id);
  };
  useHotkeys(opened ? [['Escape', close]] : []);
  const shown = tasks.find(({ state }) => state === 'running') ?? tasks[tasks.length - 1];
  if (!shown) return null;
  const words = trayWords(tasks);
  return (
    <Popover
      opened={opened}
      onChange={(open) => (open ? setOpened(true) : close())}
      position="bottom-end"
      width={340}
    >
      <Popover.Target>
        <button
          type="button"
          className={classes.tray}
          aria-label={`Tasks: ${words}`}
          onClick={() => (opened ? close() : setOpened(true))}
        >
          <TaskMark task={shown} />
          <span aria-live="polite">{words}</span>
        </button>
      </Popover.Target>
      <Popover.Dropdown p={0} aria-label="Tasks">
        <div className={classes.tasks}>
          {tasks.map((task) =>
            task.to ? (
              <Link key={task.id} to={task.to} className={classes.taskLink} onClick={close}>
                <TaskProgress task={task} />
              </Link>
            ) : (
              <TaskProgress key={task.id} task={task} />
            ),
          )}
        </div>
      </Popover.Dropdown>
    </Popover>
  );
}
