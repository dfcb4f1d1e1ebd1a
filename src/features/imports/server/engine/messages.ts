import type { EmailValidation, Settings } from '#features/settings/contract.ts';
import type { ReadSheet } from '#features/workbooks/server/index.ts';
import type { Connection } from '#platform/server/feature.ts';
import type { ErrorCode } from '#platform/shared/errors.ts';
import type {
  FateCounts,
  ImportCheck,
  ImportNotes,
  ImportOptions,
  NonUkView,
  ReadingChoice,
} from '../../contract.ts';

/** The input of an engine thread. */
export interface EngineJob {
  workspaceId: number;
  importId: number;
  /** The name of the run that holds the import. */
  lease: string;
  userId: string | null;
  fileName: string;
  /** Path of the stored file. */
  filePath: string;
  /** Where to write the receipt; the folder exists. */
  receiptPath: string;
  receiptKey: string;
  /** Which sheet of a workbook `filePath` holds, once the engine has written it there. */
  sheet?: ReadSheet;
  options: ImportOptions;
  reading: ReadingChoice;
  validation: EmailValidation;
  settings: Settings['import'];
  /** The extra fields of the workspace's contacts. */
  knownFields: readonly string[];
  /** True: judge the rows, write nothing. */
  dryRun: boolean;
  database: Connection;
  /** Name servers to ask about domains. Empty means the machine's own. */
  dnsServers: readonly string[];
  /** Milliseconds since the epoch. After this, the import has taken too long. */
  deadline: number;
  meter: SharedArrayBuffer;
}

export interface EngineOutcome {
  rows: number;
  /** Blank lines, which do not count as rows. */
  blank: number;
  counts: FateCounts;
  /** Addresses that the file itself put on the suppression list. */
  newlySuppressed: number;
  nonUkView: NonUkView;
  notes: ImportNotes;
  check: ImportCheck | null;
  sheet: ReadSheet | null;
  firstContactId: number | null;
  lastContactId: number | null;
}

/** The single answer of an engine thread. */
export type EngineAnswer =
  | { ok: true; outcome: EngineOutcome }
  | { ok: false; kind: ErrorCode; code: string; message: string; cause: string };

/**
 * Figures that the engine's thread shares with the serving thread, without messages: how far the
 * import is.
 */
const slots = {
  phase: 0,
  rows: 1,
  bytesRead: 2,
  bytesTotal: 3,
  /** Rows the database has to judge, rows it has judged, and contacts it has inserted. */
  staged: 4,
  judged: 5,
  saved: 6,
} as const;
type Slot = keyof typeof slots;

export const phases = ['uploading', 'reading', 'saving', 'done'] as const;

export class Meter {
  readonly buffer: SharedArrayBuffer;
  readonly #cells: BigInt64Array;

  constructor(buffer = new SharedArrayBuffer(8 * Object.keys(slots).length)) {
    this.buffer = buffer;
    this.#cells = new BigInt64Array(buffer);
  }

  get(slot: Slot): number {
    return Number(Atomics.load(this.#cells, slots[slot]));
  }

  set(slot: Slot, value: number): void {
    Atomics.store(this.#cells, slots[slot], BigInt(value));
  }
}
