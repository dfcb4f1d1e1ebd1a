import type { z } from 'zod';

type Issue = z.core.$ZodRawIssue;

const thousands = new Intl.NumberFormat('en-GB', { maximumFractionDigits: 20 });

/**
 * `import.batchSize` becomes "Batch size", `ids.3` "Item 4 of ids",
 * `emailValidation.checkMXRecords` "Check MX records".
 */
export function fieldLabel(path: readonly PropertyKey[], part: string): string {
  const last = path.at(-1);
  if (last === undefined) return `The ${part}`;
  const name = (key: PropertyKey) =>
    String(key)
      .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
      .replaceAll(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
      .split(/[\s_]+/)
      .map((word) => (/^[A-Z]{2,}$/.test(word) ? word : word.toLowerCase()))
      .join(' ');
  if (typeof last === 'number') {
    const list = path.at(-2);
    return list === undefined ? `Item ${last + 1}` : `Item ${last + 1} of ${name(list)}`;
  }
  const label = name(last);
  return label.charAt(0).toUpperCase() + label.slice(1);
}

const kinds: Record<string, string> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  date: 'a date',
};

const formats: Record<string, string> = {
  email: 'an email address',
  url: 'a web address',
  uuid: 'a UUID',
  datetime: 'a date and time such as 2026-03-09T10:00:00Z',
  date: 'a date such as 2026-03-09',
  time: 'a time such as 14:30',
  ipv4: 'an IP address',
  ipv6: 'an IP address',
};

function limit(issue: Issue & { origin: string }, bound: number | bigint, most: boolean): string {
  const { origin } = issue;
  const count = thousands.format(bound);
  const one = Number(bound) === 1;
  if (origin === 'string') {
    if (!most && one) return 'must not be empty';
    return `must have ${most ? 'at most' : 'at least'} ${count} ${one ? 'character' : 'characters'}`;
  }
  if (origin === 'array' || origin === 'set') {
    if (!most && one) return 'must have at least one entry';
    return `must have ${most ? 'at most' : 'at least'} ${count} ${one ? 'entry' : 'entries'}`;
  }
  const inclusive = (issue as { inclusive?: boolean }).inclusive !== false;
  if (inclusive) return `must be ${count} or ${most ? 'less' : 'more'}`;
  return `must be ${most ? 'less' : 'more'} than ${count}`;
}

const quoted = (value: unknown) => (typeof value === 'string' ? `“${value}”` : String(value));

function listed(values: readonly unknown[]): string {
  const words = values.map(quoted);
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
}

/** What is wrong, as the rest of a sentence that begins with the field's name. */
function complaint(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      if (issue.input === undefined) return 'is missing';
      return `must be ${kinds[issue.expected] ?? 'something else'}`;
    case 'too_small':
      return limit(issue, issue.minimum, false);
    case 'too_big':
      return limit(issue, issue.maximum, true);
    case 'invalid_value':
      return issue.input === undefined ? 'is missing' : `must be ${listed(issue.values)}`;
    case 'invalid_format':
      return `must be ${formats[issue.format] ?? 'written in another way'}`;
    case 'not_multiple_of':
      return issue.divisor === 1 ? 'must be a whole number' : `must be a multiple of ${issue.divisor}`;
    case 'unrecognized_keys':
      return `does not take ${listed(issue.keys)}`;
    default:
      return 'is not understood';
  }
}

/**
 * What a schema rejects in a value: by field, a plain sentence that names the field. A sentence
 * from the contract itself stays as it is. For a union, only the closest form is described.
 */
export function describeIssues(schema: z.ZodType, value: unknown, part: string): Record<string, string> {
  const parsed = schema.safeParse(value, {
    error: (issue) => `${fieldLabel(issue.path ?? [], part)} ${complaint(issue)}.`,
  });
  const fields: Record<string, string> = {};
  if (parsed.success) return fields;
  for (const { path, message } of flattened(parsed.error.issues)) {
    fields[path.join('.') || part] ??= message;
  }
  return fields;
}

function flattened(issues: readonly z.core.$ZodIssue[]): { path: PropertyKey[]; message: string }[] {
  return issues.flatMap((issue) => {
    if (issue.code !== 'invalid_union' || issue.errors.length === 0) return [issue];
    const [closest] = [...issue.errors].sort((one, other) => distance(one) - distance(other));
    const inner = flattened(closest ?? []);
    return inner.length === 0
      ? [issue]
      : inner.map((one) => ({ ...one, path: [...issue.path, ...one.path] }));
  });
}

/**
 * How far a value is from a form. Missing and unknown fields count more than values out of bounds.
 */
const distance = (issues: readonly z.core.$ZodIssue[]): number =>
  issues.reduce(
    (sum, { code, path }) =>
      sum + (code === 'unrecognized_keys' || (code === 'invalid_type' && path.length < 2) ? 10 : 1),
    0,
  );
