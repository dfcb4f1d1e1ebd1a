/** What `--help` prints. Lines of at most 80 characters, for terminals. */

const rules = `
Rules (also: the JSON that GET /api/settings answers, with --settings FILE)
  --settings FILE         the rules of a workspace: strictness, endings, policy
  --lenient               not strict: whatever the mail standards allow
  --uk-policy NAME        suffix: UK endings only (default)
                          likely: also UK providers such as btinternet.com
                          any_but_foreign_cctld: all but foreign endings
  --allowed-domains LIST  endings that count as UK, such as .uk,.scot`;

const exits = `
Exit codes
  0 done   1 failed, nothing written   2 wrong use
  3 done, and --fail-on-rejects was given`;

const main = `Usage: email-manager COMMAND …

Clean and verify email addresses by the rules of Email Manager, without a
server or a database.

Commands
  clean FILE       clean a CSV or .xlsx file: invalid, non-UK, duplicate …
  verify ADDRESS…  say what the rules say of single addresses

  email-manager COMMAND --help   the options of a command
  email-manager --version
${exits}
`;

const clean = `Usage: email-manager clean FILE --out CLEAN [--rejects REJECTS] [options]

Gives each row of a CSV file, or of a sheet of an .xlsx workbook, the fate that
an import would: invalid, non-UK, suppressed, duplicate, or kept. Encoding,
delimiter, quotes, header and the column of the addresses are found out. - is
standard input or output.

Output
  -o, --out FILE          the rows that are kept, as CSV in UTF-8
  -r, --rejects FILE      the others: line, fate, reason and the original row
      --columns LIST      columns to write, by name or number, in this order
      --verdicts          add verdict, reasons, risk, suggestion, uk and kind
      --preview           write no file; show what was detected and would be
      --json              the counts as JSON on standard output
                          (on standard error where rows go there)
      --fail-on-rejects   exit with 3 when a row is left out

What is left out
  -s, --suppressions FILE addresses, domains or hashes not to be mailed; may be
                          given several times
      --keep-duplicates   keep every copy
      --no-validate       keep rows that are no addresses
      --keep-non-uk       keep addresses of any country
      --mend-slips        read domains with a probable slip, such as gmial.com,
                          as they were meant; --preview tells of them
      --keep-opt-outs     keep those of whom a column of the file says that they
                          unsubscribed, bounced, never agreed, died …
      --do-not-mail COLUMN  a column that says so and was not understood: any
                          filled cell but no, or COLUMN=VALUE,VALUE, or COLUMN=
                          for blank cells; may be given several times
${rules}

How the file is read, where the detection is wrong
      --email-column NAME name or number of the column of the addresses; given
                          several times, the first that holds one counts
      --each-address      with several columns: every address is kept, each in
                          a row of its own
      --sheet NAME        the sheet of a workbook; else the first with addresses
      --delimiter NAME    comma, semicolon, tab or pipe
      --quote NAME        double, single or none
      --title-lines N     lines above the header or the first row, 0 to 20
      --encoding NAME     utf-8, utf-16le, utf-16be or windows-1252
      --header            the first row holds names
      --no-header         the first row holds data

Cells that a spreadsheet would run as a formula get an apostrophe in front, as
in every export of the product, which takes it off again when it reads them.
Files appear when they are whole: after a failure or Ctrl-C there is none.
Memory: what is kept is the addresses seen, exactly, so that none is taken for
a copy that is not: about 36 bytes each, 540 MB for 15 million. With
--keep-duplicates it is some 100 MB whatever the file.
${exits}
`;

const verify = `Usage: email-manager verify ADDRESS… [options]

Prints verdict, risk, reasons and, where one is likely, what was meant. - reads
addresses from standard input, one a line. No mail server is asked.

      --json              an array of judgements on standard output
      --fail-on-rejects   exit with 3 when one is invalid
${rules}
${exits}
`;

export const helpOf = { main, clean, verify };
