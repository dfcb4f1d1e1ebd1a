import type { ImportProgress } from '../contract.ts';
import { type Meter, phases } from './engine/messages.ts';

/** How far an import is before an engine reads its file. */
export const arrived = (bytesRead: number, bytesTotal: number): ImportProgress => ({
  phase: 'uploading',
  rows: 0,
  rowsPerSecond: 0,
  bytesRead,
  bytesTotal,
  share: 0,
});

/** The parts of an import's work, as shares of the whole; measured at 1.5 million rows. */
const readingShare = 0.3;
const judgingShare = 0.2;
const savingShare = 0.45;

/** Turns an engine's meter into what a person sees. Nothing here is guessed from the clock. */
export class Pulse {
  readonly #meter: Meter;
  /** A dry run is done when the rows are judged. */
  readonly #wholeShare: number;
  readonly #started = performance.now();
  #rowsPerSecond = 0;

  constructor(meter: Meter, dryRun: boolean) {
    this.#meter = meter;
    this.#wholeShare = dryRun ? readingShare + judgingShare : 1;
  }

  progress(): ImportProgress {
    const phase = phases[this.#meter.get('phase')] ?? 'uploading';
    const rows = this.#meter.get('rows');
    const bytesTotal = this.#meter.get('bytesTotal');
    const bytesRead = this.#meter.get('bytesRead');
    if (phase === 'reading' && this.#meter.get('staged') === 0) {
      this.#rowsPerSecond = Math.round((rows * 1000) / Math.max(1, performance.now() - this.#started));
    }
    const part = (done: number, all: number) => (all === 0 ? 0 : Math.min(1, done / all));
    const staged = this.#meter.get('staged');
    // The receipt reads the file a second time.
    const read = phase === 'reading' && staged === 0 ? part(bytesRead, bytesTotal) : 1;
    const done =
      (phase === 'uploading' ? 0 : read) * readingShare +
      part(this.#meter.get('judged'), staged) * judgingShare +
      part(this.#meter.get('saved'), staged) * savingShare;
    const share = phase === 'done' ? 1 : Math.min(0.99, done / this.#wholeShare);
    return { phase, rows, rowsPerSecond: this.#rowsPerSecond, bytesRead, bytesTotal, share };
  }
}
