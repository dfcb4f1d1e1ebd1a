import { Kbd, Modal } from '@mantine/core';
import { useOs } from '@mantine/hooks';
import { useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { goTarget, isBusy } from './go-keys.ts';
import classes from './shortcuts.module.css';
import { hideShortcuts, showShortcuts, useShortcutsShown } from './shortcuts-store.ts';
import { useEntries } from './use-entries.ts';

/** How long to wait for the next key after `g`. */
const waitMs = 1500;

/** The keys that work on every screen, and the sheet that lists all of them. */
export function Shortcuts() {
  const { screens: entries } = useEntries();
  const navigate = useNavigate();
  const shown = useShortcutsShown();
  useEffect(() => {
    let pressedAt = Number.NEGATIVE_INFINITY;
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
      const isSecond = event.timeStamp - pressedAt < waitMs;
      // What is open above the screen is only looked up for keys that lead somewhere: it makes the
      // browser lay the page out.
      if (!(isSecond || event.key === '?' || event.key === 'g') || isBusy(event.target)) return;
      if (event.key === '?') {
        event.preventDefault();
        showShortcuts();
        return;
      }
      pressedAt = event.key === 'g' && !isSecond ? event.timeStamp : Number.NEGATIVE_INFINITY;
      const target = isSecond ? goTarget(entries, event.key) : undefined;
      if (target === undefined) return;
      event.preventDefault();
      // Stops the screen's own keys: `n` after `g` does not mean "new".
      event.stopImmediatePropagation();
      void navigate({ to: target });
    };
    window.addEventListener('keydown', onKeyDown, { capture: true });
    return () => window.removeEventListener('keydown', onKeyDown, { capture: true });
  }, [entries, navigate]);
  return (
    <Modal opened={shown} onClose={hideShortcuts} title="Keyboard shortcuts" size={480}>
      <Sheet screens={entries.flatMap(({ label, goKey }) => (goKey ? [{ label, goKey }] : []))} />
    </Modal>
  );
}

function Sheet({ screens }: { screens: { label: string; goKey: string }[] }) {
  const command = ['macos', 'ios'].includes(useOs()) ? '⌘' : 'Ctrl';
  const groups = [
    {
      title: 'Everywhere',
      keys: [
        { keys: [command, 'K'], does: 'Search or go to' },
        { keys: ['/'], does: 'Search on this screen' },
        { keys: ['?'], does: 'Show these shortcuts' },
        { keys: ['Esc'], does: 'Close what was opened last' },
      ],
    },
    {
      title: 'Go to',
      keys: screens.map(({ label, goKey }) => ({ keys: ['G', goKey.toUpperCase()], does: label })),
    },
    {
      title: 'In a table',
      keys: [
        { keys: ['↓'], does: 'From the search to the first row' },
        { keys: ['↑', '↓'], does: 'Move from row to row' },
        { keys: ['Home', 'End'], does: 'First and last row of the page' },
        { keys: ['Space'], does: 'Select the row' },
        { keys: ['Shift', 'Space'], does: 'Select from the last selected row to this one' },
        { keys: ['Enter'], does: 'Open the row' },
        { keys: ['Esc'], does: 'Close the row, then back to the search' },
      ],
    },
    { title: 'On the dashboard', keys: [{ keys: ['N'], does: 'Add an email address' }] },
  ];
  return groups.map(({ title, keys }) => (
    <section key={title} className={classes.group}>
      <h3 className={classes.title}>{title}</h3>
      <dl className={classes.list}>
        {keys.map(({ keys: pressed, does }) => (
          <div key={does} className={classes.row}>
            <dt>{does}</dt>
            <dd>
              {pressed.map((key) => (
                <Kbd key={key} size="xs">
                  {key}
                </Kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  ));
}
