/**
 * Why an address (or a row of an import) is refused. The codes are stored; the sentences are not.
 */
export const addressReasons = [
  'blank',
  'no_at',
  'several_at',
  'space_inside',
  'invisible_character',
  'local_missing',
  'local_too_long',
  'local_dots',
  'local_characters',
  'quoted_local',
  'domain_missing',
  'domain_no_dot',
  'domain_label',
  'domain_characters',
  'domain_too_long',
  'no_such_tld',
  'reserved_tld',
  'public_suffix',
  'ip_literal',
  'mixed_script',
  'too_long',
] as const;
export type AddressReason = (typeof addressReasons)[number];

/** The reasons from later tests of an import. The address itself is sound. */
export const rowReasons = [
  'not_uk',
  'suppressed',
  'suppressed_domain',
  'duplicate',
  'duplicate_in_file',
] as const;
export type RowReason = (typeof rowReasons)[number];

type Describe = (detail: string) => string;

const with_ =
  (sentence: string, separator = ': '): Describe =>
  (detail) =>
    detail ? `${sentence}${separator}${detail}` : sentence;

const sentences: Record<AddressReason | RowReason, Describe> = {
  blank: () => 'No address',
  no_at: with_('No @ sign'),
  several_at: () => 'More than one @ sign',
  space_inside: () => 'Space inside the address',
  invisible_character: with_('Invisible character inside the address'),
  local_missing: () => 'Nothing before the @ sign',
  local_too_long: () => 'More than 64 characters before the @ sign',
  local_dots: () => 'A dot at the start or end, or two together, before the @ sign',
  local_characters: with_('Character that is not allowed before the @ sign'),
  quoted_local: () => 'Quotation marks around the part before the @ sign',
  domain_missing: () => 'Nothing after the @ sign',
  domain_no_dot: () => 'No dot after the @ sign',
  domain_label: with_('Part of the domain is not possible'),
  domain_characters: with_('Character that is not allowed after the @ sign'),
  domain_too_long: () => 'Domain longer than 253 characters',
  no_such_tld: with_('No such ending'),
  reserved_tld: with_('Ending reserved for tests and private networks'),
  public_suffix: with_('Only an ending, not a domain'),
  ip_literal: () => 'A network address instead of a domain name',
  mixed_script: with_('Letters of different alphabets in one word'),
  too_long: () => 'Longer than 254 characters',
  not_uk: (detail) => (detail ? `Ends in .${detail.slice(detail.lastIndexOf('.') + 1)}` : 'Not a UK domain'),
  suppressed: () => 'On the suppression list',
  suppressed_domain: with_('Domain on the suppression list'),
  duplicate: () => 'Already in the database',
  duplicate_in_file: (detail) => (detail ? `Already in this file, line ${detail}` : 'Already in this file'),
};

/**
 * A British plain-English sentence without a full stop, for screens and receipts. `detail` is what
 * the parser gave with the reason. For `not_uk` it is the domain or its ending, for
 * `duplicate_in_file` the line number of the first one, for `suppressed_domain` the suppressed
 * domain.
 */
export function describeReason(reason: AddressReason | RowReason, detail = ''): string {
  return sentences[reason](detail);
}
