import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { FairQueue } from '#platform/server/fair-queue.ts';

export interface CountImage {
  stored(bytes: number): void;
  refused(code: string): void;
  /** Seconds that drawing one took. */
  drawn(seconds: number): void;
}

/** Counts uploaded images, what they take up and how long drawing them takes. */
export function countImagesIn(registry: Registry, turns: FairQueue): CountImage {
  const registers = [registry];
  const uploads = new Counter({
    name: 'image_uploads_total',
    help: 'Images that were sent: stored, or refused with a code',
    labelNames: ['outcome'],
    registers,
  });
  const bytes = new Counter({
    name: 'image_bytes_stored_total',
    help: 'Bytes of images that were stored',
    registers,
  });
  const seconds = new Histogram({
    name: 'image_drawing_seconds',
    help: 'How long drawing an uploaded image took, without the wait for its turn',
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers,
  });
  new Gauge({
    name: 'image_uploads_waiting',
    help: 'Uploaded images that wait for their turn to be drawn',
    registers,
    collect() {
      this.set(turns.waiting);
    },
  });
  return {
    stored(size) {
      uploads.inc({ outcome: 'stored' });
      bytes.inc(size);
    },
    refused: (code) => uploads.inc({ outcome: code }),
    drawn: (took) => seconds.observe(took),
  };
}
