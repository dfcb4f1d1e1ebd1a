import { formatNumber } from '#platform/shared/words.ts';

const everyMs = 250;

/** One progress line. Shows nothing when standard error is not a terminal. */
export function showProgress(size: number | null): {
  tell: (rows: number, bytes: number) => void;
  end: () => void;
} {
  const terminal = process.stderr;
  if (!terminal.isTTY) return { tell: () => undefined, end: () => undefined };
  const started = performance.now();
  let last = started;
  let shown = false;
  const clear = '\r\u001b[2K';
  return {
    tell(rows, bytes) {
      const now = performance.now();
      if (now - last < everyMs) return;
      last = now;
      shown = true;
      const perSecond = Math.round(rows / ((now - started) / 1000));
      const share = size === null || size === 0 ? '' : `${Math.floor((bytes / size) * 100)}%  `;
      terminal.write(`${clear}${share}${formatNumber(rows)} rows, ${formatNumber(perSecond)} a second`);
    },
    end() {
      if (shown) terminal.write(clear);
      shown = false;
    },
  };
}
