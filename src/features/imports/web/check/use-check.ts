import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { BodyOf } from '#platform/shared/contract.ts';
import { ApiError, call, words } from '#platform/web/api.ts';
import { checkImport, type ImportCheck, type ImportOptions, type ReadingChoice } from '../../contract.ts';
import type { Mend } from '../../rules/slips.ts';
import { type ChosenGroups, type OneImport, showImport } from '../api.ts';
import type { OptOutRule } from './reading-choice.ts';

/** What a person changed since the last dry run. Absent parts stay as the server has them. */
interface Change {
  options?: ImportOptions;
  reading?: ReadingChoice;
}

export interface Recheck {
  /** The chosen options, before the dry run that will count them. */
  options: ImportOptions;
  /** The chosen reading and column targets, also before their dry run. */
  dialect: ImportCheck['dialect'];
  targets: string[];
  /** The targets once somebody has chosen one of them; null while all are as detected. */
  chosenTargets: string[] | null;
  /** Which addresses are taken when several columns hold some. */
  addresses: ImportCheck['addresses'];
  /** The rules for columns that say who must not be mailed. */
  doNotMail: OptOutRule[];
  chosenDoNotMail: OptOutRule[] | null;
  /** The domains whose slips are mended, or all. */
  mend: Mend;
  /** The sheet of a workbook; undefined for other files. */
  sheet: string | undefined;
  running: boolean;
  /** Somebody had chosen for other columns than the file has now: they are as detected. */
  hasOtherColumns: boolean;
  /** Why the last dry run failed. The figures are then from the dry run before it. */
  failure: { reason: string; refused: boolean } | null;
  change: (change: Change) => void;
  retry: () => void;
}

/** A dry run that takes longer than this waits for further choices before it begins. */
const quickSeconds = 0.5;
const pauseMs = 300;

/**
 * Runs the dry run again as choices change: one at a time, the newest choice last. A
 * failed dry run leaves the previous one in place.
 */
export function useRecheck(record: OneImport, check: ImportCheck): Recheck {
  const { id } = record;
  const queryClient = useQueryClient();
  const [chosen, setChosen] = useState<Change>({});
  const [running, setRunning] = useState(false);
  const [failure, setFailure] = useState<Recheck['failure']>(null);
  const [hasOtherColumns, setHasOtherColumns] = useState(false);
  const [isChosen, setIsChosen] = useState({ columns: false, doNotMail: false });
  const waiting = useRef<Change | null>(null);
  const failed = useRef<Change | null>(null);
  const atWork = useRef(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);

  const drain = useCallback(async () => {
    if (atWork.current) return;
    atWork.current = true;
    while (waiting.current) {
      const change = waiting.current;
      waiting.current = null;
      try {
        const { choicesHash, ...check } = await call(checkImport, { params: { id }, body: bodyOf(change) });
        showImport(queryClient, id, (before) => {
          if (!before) return before;
          const options = withGroupsOf(before.options, change.options ?? before.options);
          return { ...before, status: 'checked', check, choicesHash, options };
        });
        failed.current = null;
        setFailure(null);
      } catch (error) {
        const detected = withoutColumns(change, error);
        if (detected) {
          setIsChosen({ columns: false, doNotMail: false });
          setHasOtherColumns(true);
          waiting.current = withNewer(detected, waiting.current);
          continue;
        }
        failed.current = change;
        // The file cannot be read that way. Any other failure may not happen again.
        const refused = error instanceof ApiError && error.status === 400;
        setFailure({ reason: words(error), refused });
      }
    }
    atWork.current = false;
    setRunning(false);
    setChosen({});
  }, [id, queryClient]);

  const start = useCallback(
    (change: Change) => {
      waiting.current = { ...waiting.current, ...change };
      setChosen((before) => ({ ...before, ...change }));
      // Each choice of a reading names all that was chosen before it. Another sheet names nothing.
      if (change.reading) {
        const { columns, doNotMail } = change.reading;
        setIsChosen({ columns: columns !== undefined, doNotMail: doNotMail !== undefined });
      }
      setHasOtherColumns(false);
      setRunning(true);
      clearTimeout(timer.current);
      timer.current = setTimeout(() => void drain(), check.seconds < quickSeconds ? 0 : pauseMs);
    },
    [drain, check.seconds],
  );
  const doNotMail = chosen.reading?.doNotMail ?? usedRules(check);
  const targets = chosen.reading?.columns ?? check.columns.map(({ target }) => target);
  return {
    options: chosen.options ?? record.options,
    dialect: dialectOf(check, chosen.reading),
    targets,
    chosenTargets: isChosen.columns ? targets : null,
    addresses: chosen.reading?.addresses ?? check.addresses,
    doNotMail,
    chosenDoNotMail: isChosen.doNotMail ? doNotMail : null,
    mend: mendedDomains(check, chosen.reading),
    sheet: chosen.reading?.sheet ?? check.sheet?.name,
    running,
    hasOtherColumns,
    failure,
    change: start,
    retry: () => failed.current && start(failed.current),
  };
}

/**
 * The change without the columns that somebody chose, if the file, cut otherwise, has other ones
 * now. They are detected again.
 */
function withoutColumns(change: Change, error: unknown): Change | undefined {
  if (!change.reading || !(error instanceof ApiError) || error.code !== 'wrong_columns') return undefined;
  const { columns: _, doNotMail: __, ...reading } = change.reading;
  return { ...change, reading };
}

const withNewer = (change: Change, newer: Change | null): Change => ({ ...change, ...newer });

/** List, tags and basis are left as they are: somebody may have chosen others. */
function bodyOf({ options, reading }: Change): BodyOf<typeof checkImport> {
  return { ...(options && { options: withGroupsOf({}, options) }), ...(reading && { reading }) };
}

/** Chosen options with the list, the tags and the marketing basis that stand now. */
function withGroupsOf({ listId, tagIds, basis }: ChosenGroups, chosen: ImportOptions): ImportOptions {
  const { listId: _, tagIds: __, basis: ___, ...rest } = chosen;
  return {
    ...rest,
    ...(listId === undefined ? {} : { listId }),
    ...(tagIds === undefined ? {} : { tagIds }),
    ...(basis === undefined ? {} : { basis }),
  };
}

function mendedDomains({ slips, mendsAll }: ImportCheck, reading: ReadingChoice | undefined): Mend {
  const mended = slips.flatMap((slip) => (slip.mended ? [slip.from] : []));
  return reading?.mend ?? (mendsAll ? 'all' : mended);
}

const usedRules = ({ doNotMail }: ImportCheck): OptOutRule[] =>
  doNotMail.filter(({ used }) => used).map(({ rule }) => rule);

function dialectOf({ dialect }: ImportCheck, reading: ReadingChoice | undefined): ImportCheck['dialect'] {
  const { encoding, delimiter, quote, header, titleLines } = { ...dialect, ...reading?.dialect };
  return {
    lineEnd: dialect.lineEnd,
    encoding: encoding ?? dialect.encoding,
    delimiter: delimiter ?? dialect.delimiter,
    quote: quote ?? dialect.quote,
    header: header ?? dialect.header,
    titleLines: titleLines ?? dialect.titleLines,
  };
}
