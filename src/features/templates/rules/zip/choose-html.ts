/** What other programs put beside what they were asked for. */
const isHidden = (path: string): boolean => /(^|\/)(__MACOSX\/|\.)/.test(path);

const depthOf = (path: string): number => path.split('/').length;
const isIndex = (path: string): boolean => /(^|\/)index\.html?$/i.test(path);

/**
 * The files with HTML in a zip, the one that is meant first: an `index.html`, else the one that is
 * least deep in folders.
 */
export const htmlFilesOf = (paths: readonly string[]): string[] =>
  paths
    .filter((path) => /\.html?$/i.test(path) && !isHidden(path))
    .sort(
      (one, other) =>
        Number(isIndex(other)) - Number(isIndex(one)) ||
        depthOf(one) - depthOf(other) ||
        one.localeCompare(other, 'en-GB'),
    );
