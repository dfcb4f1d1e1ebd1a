/** A mail that came to a return address, as far as it is read. */
export interface ReturnedMail {
  from: string;
  subject: string;
  /** Names in lower case. */
  headers: Readonly<Record<string, string>>;
  /** What it says to people. */
  text: string;
  /** The part for programs of a delivery report (RFC 3464). */
  deliveryStatus: string | null;
  /** That of a complaint (RFC 5965). */
  feedbackReport: string | null;
}

/** Groups of fields, as delivery and feedback reports have them. Names are in lower case. */
export function fieldGroups(text: string): Record<string, string>[] {
  return text
    .replace(/\r\n?/g, '\n')
    .replace(/\n[ \t]+/g, ' ')
    .split(/\n{2,}/)
    .map((group) =>
      Object.fromEntries(
        group.split('\n').flatMap((line) => {
          const colon = line.indexOf(':');
          return colon > 0 ? [[line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()]] : [];
        }),
      ),
    )
    .filter((group) => Object.keys(group).length > 0);
}
