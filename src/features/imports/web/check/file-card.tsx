import { Modal, Select } from '@mantine/core';
import { IconAlertTriangle, IconChevronDown } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { call } from '#platform/web/api.ts';
import { TextButton } from '#platform/web/components/links.tsx';
import { Note } from '#platform/web/components/states.tsx';
import { formatBytes, formatCount, formatNumber } from '#platform/web/format.ts';
import { delimiters, discardImport, encodings, type ImportCheck, quotes } from '../../contract.ts';
import type { OneImport } from '../api.ts';
import { ChooseButton, FileDrop } from '../file-drop.tsx';
import { fileIcon } from '../file-icon.ts';
import { problemsSentence, problemWord } from '../import-words.ts';
import { useUpload } from '../use-upload.ts';
import { SendingBar } from '../working.tsx';
import classes from './file-card.module.css';
import { withDialect } from './reading-choice.ts';
import { TitleLines } from './title-lines.tsx';
import type { Recheck } from './use-check.ts';

interface FileCardProps {
  record: OneImport;
  check: ImportCheck;
  recheck: Recheck;
  locked: boolean;
}

/** The file's facts, how it is read, and what does not fit. */
export function FileCard({ record, check, recheck, locked }: FileCardProps) {
  return (
    <section className={classes.card} aria-label="File">
      <FileHead record={record} check={check} locked={locked} options={recheck.options} />
      {check.sheet ? (
        <SheetBar sheet={check.sheet} recheck={recheck} locked={locked} />
      ) : (
        <DialectBar recheck={recheck} locked={locked} />
      )}
      <TitleLines check={check} />
      {check.problems.total > 0 && <Problems check={check} />}
    </section>
  );
}

interface FileHeadProps extends Pick<FileCardProps, 'record' | 'check' | 'locked'> {
  options: Recheck['options'];
}

function FileHead({ record, check, locked, options }: FileHeadProps) {
  const upload = useUpload();
  const [refusal, setRefusal] = useState<string | null>(null);
  const navigate = useNavigate();
  const replace = async (file: File) => {
    setRefusal(null);
    const id = await upload.send({ file, options, dryRun: true });
    if (id === null) return;
    // The previous file is no longer needed. If it cannot be discarded now, it expires by itself.
    void call(discardImport, { params: { id: record.id } }).catch(() => undefined);
    await navigate({ to: `/imports/${id}`, replace: true });
  };
  const error = refusal ?? upload.error;
  const FileIcon = fileIcon(record.fileName);
  const facts = [
    formatBytes(record.fileSize),
    formatCount(check.rows, 'row'),
    formatCount(check.columns.length, 'column'),
  ].join(', ');
  return (
    <FileDrop
      plain
      disabled={locked || upload.sending !== null}
      onFile={(file) => void replace(file)}
      onRefused={setRefusal}
    >
      {(open) => (
        <>
          <div className={classes.head}>
            <FileIcon size={26} stroke={1.5} className={classes.icon} aria-hidden />
            <div className={classes.words}>
              {upload.sending ? (
                <SendingBar {...upload.sending} />
              ) : (
                <>
                  <h2 className={classes.name} title={record.fileName}>
                    {record.fileName}
                  </h2>
                  <p className={classes.facts}>{facts}</p>
                </>
              )}
            </div>
            {!locked && !upload.sending && <ChooseButton onClick={open} label="Replace file" />}
          </div>
          {error !== null && (
            <div className={classes.error}>
              <Note tone="error">{error} The file shown here is still the one before.</Note>
            </div>
          )}
        </>
      )}
    </FileDrop>
  );
}

type Dialect = ImportCheck['dialect'];

const delimiterLabels: Record<Dialect['delimiter'], string> = {
  ',': 'Comma  ,',
  ';': 'Semicolon  ;',
  '\t': 'Tab',
  '|': 'Bar  |',
};
const encodingLabels: Record<Dialect['encoding'], string> = {
  'utf-8': 'UTF-8',
  'utf-16le': 'UTF-16 LE',
  'utf-16be': 'UTF-16 BE',
  'windows-1252': 'Windows-1252',
};
const quoteLabels: Record<Dialect['quote'], string> = { '"': 'Double  "', "'": "Single  '", '': 'None' };
const lineEndLabels: Record<Dialect['lineEnd'], string> = {
  LF: 'LF',
  CRLF: 'CRLF',
  CR: 'CR',
  mixed: 'Mixed',
};

/** How the file is read. The detected values are the controls that change them. */
function DialectBar({ recheck, locked }: Pick<FileCardProps, 'recheck' | 'locked'>) {
  const { dialect } = recheck;
  const change = (part: Partial<Omit<Dialect, 'lineEnd'>>) =>
    recheck.change({ reading: withDialect(recheck, part) });
  return (
    <div className={classes.dialect} data-stale={recheck.running || undefined}>
      <Choice
        label="Delimiter"
        value={dialect.delimiter}
        options={delimiters.map((value) => ({ value, label: delimiterLabels[value] }))}
        locked={locked}
        onChange={(delimiter) => change({ delimiter })}
      />
      <Choice
        label="Encoding"
        value={dialect.encoding}
        options={encodings.map((value) => ({ value, label: encodingLabels[value] }))}
        locked={locked}
        onChange={(encoding) => change({ encoding })}
      />
      <Cell label="Line ends">
        <span className={classes.value}>{lineEndLabels[dialect.lineEnd]}</span>
      </Cell>
      <HeadChoices recheck={recheck} locked={locked} />
      <Choice
        label="Quotes"
        value={dialect.quote}
        options={quotes.map((value) => ({ value, label: quoteLabels[value] }))}
        locked={locked}
        onChange={(quote) => change({ quote })}
      />
    </div>
  );
}

/** Where the rows begin: the header, and the lines above it. */
function HeadChoices({ recheck, locked }: Pick<FileCardProps, 'recheck' | 'locked'>) {
  const { dialect } = recheck;
  const change = (part: Partial<Omit<Dialect, 'lineEnd'>>) =>
    recheck.change({ reading: withDialect(recheck, part) });
  return (
    <>
      <Choice
        label="Header"
        value={dialect.header ? 'first' : 'none'}
        options={[
          { value: 'first', label: 'First row' },
          { value: 'none', label: 'No header' },
        ]}
        locked={locked}
        onChange={(value) => change({ header: value === 'first' })}
      />
      <Choice
        label="Lines above"
        value={String(dialect.titleLines)}
        options={Array.from({ length: Math.max(5, dialect.titleLines) + 1 }, (_, lines) => ({
          value: String(lines),
          label: lines === 0 ? 'None' : `${lines} skipped`,
        }))}
        locked={locked}
        onChange={(lines) => change({ titleLines: Number(lines) })}
      />
    </>
  );
}

interface SheetBarProps extends Pick<FileCardProps, 'recheck' | 'locked'> {
  sheet: NonNullable<ImportCheck['sheet']>;
}

/** Which sheet of a workbook is read. One that has a single sheet leaves nothing to choose. */
function SheetBar({ sheet, recheck, locked }: SheetBarProps) {
  const chosen = recheck.sheet ?? sheet.name;
  return (
    <div className={classes.dialect} data-sheet data-stale={recheck.running || undefined}>
      {sheet.sheets.length > 1 ? (
        <Choice
          label={`Sheet, one of ${sheet.sheets.length}`}
          value={chosen}
          options={[...new Set([...sheet.sheets, chosen])].map((name) => ({ value: name, label: name }))}
          locked={locked}
          onChange={(name) => recheck.change({ reading: { sheet: name } })}
        />
      ) : (
        <Cell label="Sheet">
          <span className={classes.value}>{sheet.name}</span>
        </Cell>
      )}
      <HeadChoices recheck={recheck} locked={locked} />
    </div>
  );
}

function Cell({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className={classes.cell}>
      <span className={classes.label}>{label}</span>
      {children}
    </div>
  );
}

interface ChoiceProps<T extends string> {
  label: string;
  value: T;
  options: { value: T; label: string }[];
  locked: boolean;
  onChange: (value: T) => void;
}

/**
 * A select that fills its cell, so that a press anywhere in the cell opens it. The kit has no value
 * for empty text.
 */
function Choice<T extends string>({ label, value, options, locked, onChange }: ChoiceProps<T>) {
  const keyOf = (one: string) => `=${one}`;
  return (
    <div className={classes.cell} data-choice>
      <Select
        variant="unstyled"
        label={label}
        classNames={{ label: classes.label, input: classes.input, section: classes.chevron }}
        data={options.map((option) => ({ value: keyOf(option.value), label: option.label }))}
        value={keyOf(value)}
        disabled={locked}
        rightSection={<IconChevronDown size={14} stroke={1.6} />}
        onChange={(key) => {
          const found = options.find((option) => keyOf(option.value) === key);
          if (found && found.value !== value) onChange(found.value);
        }}
      />
    </div>
  );
}

/** Lines that do not fit. None of them stops the import. */
function Problems({ check }: { check: ImportCheck }) {
  const [opened, setOpened] = useState(false);
  const { first, total } = check.problems;
  return (
    <div className={classes.problems}>
      <IconAlertTriangle size={16} stroke={1.6} className={classes.warning} aria-hidden />
      <span className={classes.problemWords}>{problemsSentence(check)}</span>
      <TextButton onClick={() => setOpened(true)}>Show them</TextButton>
      <Modal opened={opened} onClose={() => setOpened(false)} title="Lines that do not fit" size={440}>
        <p className={classes.explained}>
          None of them stops the import: each is read as far as it goes, and its row has a fate like any
          other.
        </p>
        <table className={classes.lines}>
          <thead>
            <tr>
              <th scope="col">Line</th>
              <th scope="col">What is wrong</th>
            </tr>
          </thead>
          <tbody>
            {first.map(({ line, kind }) => (
              <tr key={`${line} ${kind}`}>
                <td>{formatNumber(line)}</td>
                <td>{problemWord(kind)}</td>
              </tr>
            ))}
          </tbody>
        </table>
        {total > first.length && (
          <p className={classes.explained}>
            The first {formatNumber(first.length)} of {formatNumber(total)}.
          </p>
        )}
      </Modal>
    </div>
  );
}
