const mark = '#counted-link-';

/** Where a counted link leads in the picture of a message: to its number. */
export const pictureLink = (number: number): string => `${mark}${number}`;

/** The number of a counted link of a picture. Null: it is another link. */
export function numberOfLink(address: string): number | null {
  if (!address.startsWith(mark)) return null;
  const number = Number(address.slice(mark.length));
  return Number.isInteger(number) && number > 0 ? number : null;
}
