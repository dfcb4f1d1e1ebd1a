import { posix } from 'node:path';
import { type NumberStyle, styleOfBuiltIn, styleOfFormat } from '../rules/cells.ts';
import type { Archive } from './archive.ts';
import { damaged, notWorkbook } from './failures.ts';
import { readXml } from './xml.ts';

/** The small files of a workbook: what is where, and how numbers are shown. */

const mostXml = 33_554_432;
const mostSheets = 10_000;

export interface Sheet {
  name: string;
  path: string;
  isHidden: boolean;
}

export interface Parts {
  /** The worksheets in the order of their tabs, without charts and macros. */
  sheets: Sheet[];
  sharedStrings: string | null;
  styles: string | null;
  /** Days are counted from 1904. */
  from1904: boolean;
}

/** @throws AppError `not_csv` */
export async function readParts(archive: Archive): Promise<Parts> {
  if (!archive.has('_rels/.rels')) throw notWorkbook();
  const roots = await readRelations(archive, '_rels/.rels', '');
  const main = [...roots.values()].find(({ type }) => type === 'officeDocument')?.path;
  if (main === undefined || !archive.has(main) || !/(^|\/)xl\//i.test(main)) throw notWorkbook();
  const folder = posix.dirname(main);
  const relations = await readRelations(
    archive,
    posix.join(folder, '_rels', `${posix.basename(main)}.rels`),
    folder,
  );
  const { tabs, from1904 } = await readWorkbook(archive, main);
  const sheets = tabs.flatMap(({ relation, name, isHidden }) => {
    const target = relations.get(relation);
    return target?.type === 'worksheet' ? [{ name, isHidden, path: target.path }] : [];
  });
  const pathOf = (type: string) => [...relations.values()].find((one) => one.type === type)?.path ?? null;
  return { sheets, from1904, sharedStrings: pathOf('sharedStrings'), styles: pathOf('styles') };
}

interface Relation {
  type: string;
  path: string;
}

async function readRelations(archive: Archive, path: string, folder: string): Promise<Map<string, Relation>> {
  const relations = new Map<string, Relation>();
  let found = { id: '', type: '', target: '', isInside: true };
  await readXml(archive.read(path, mostXml), {
    open() {
      found = { id: '', type: '', target: '', isInside: true };
    },
    attribute(name, value) {
      if (name === 'Id') found.id = value;
      else if (name === 'Type') found.type = value.slice(value.lastIndexOf('/') + 1);
      else if (name === 'Target') found.target = value;
      else if (name === 'TargetMode') found.isInside = value !== 'External';
    },
    close(name) {
      if (name !== 'Relationship' || !found.isInside) return;
      const { id, type, target } = found;
      // A target from the root, or from the folder of the file that names it.
      const path = target.startsWith('/') ? target.slice(1) : posix.join(folder, target);
      relations.set(id, { type, path });
    },
  });
  return relations;
}

async function readWorkbook(archive: Archive, path: string) {
  const tabs: { name: string; relation: string; isHidden: boolean }[] = [];
  let from1904 = false;
  let element = '';
  await readXml(archive.read(path, mostXml), {
    open(name) {
      element = name;
      if (name !== 'sheet') return;
      if (tabs.length >= mostSheets) throw damaged('too many sheets');
      tabs.push({ name: '', relation: '', isHidden: false });
    },
    attribute(name, value) {
      if (element === 'workbookPr' && name === 'date1904') from1904 = value === '1' || value === 'true';
      const tab = tabs.at(-1);
      if (element !== 'sheet' || !tab) return;
      if (name === 'name') tab.name = value;
      // The name of a relation is `r:id`.
      else if (name === 'id') tab.relation = value;
      else if (name === 'state') tab.isHidden = value !== 'visible';
    },
  });
  return { tabs, from1904 };
}

/** How each of the workbook's cell styles shows numbers. */
export async function readStyles(archive: Archive, path: string | null): Promise<NumberStyle[]> {
  if (path === null || !archive.has(path)) return [];
  const formats = new Map<number, string>();
  const styles: number[] = [];
  let element = '';
  let inCells = false;
  let format = { id: -1, code: '' };
  await readXml(archive.read(path, mostXml), {
    open(name) {
      element = name;
      if (name === 'cellXfs') inCells = true;
      else if (name === 'numFmt') format = { id: -1, code: '' };
      else if (name === 'xf' && inCells) styles.push(0);
    },
    attribute(name, value) {
      if (element === 'numFmt' && name === 'numFmtId') format.id = Number(value);
      else if (element === 'numFmt' && name === 'formatCode') format.code = value;
      else if (element === 'xf' && inCells && name === 'numFmtId') styles[styles.length - 1] = Number(value);
    },
    close(name) {
      if (name === 'cellXfs') inCells = false;
      else if (name === 'numFmt') formats.set(format.id, format.code);
    },
  });
  return styles.map((id) => {
    const code = formats.get(id);
    return code === undefined ? styleOfBuiltIn(id) : styleOfFormat(code);
  });
}
