import { readFile } from 'node:fs/promises';
import { domainToASCII } from 'node:url';
import { z } from 'zod';
import { type UkPolicy, ukPolicies } from '#features/addresses/contract.ts';
import { type EmailValidation, emailValidationSettings } from '#features/settings/contract.ts';
import { aboutFile, Failure, WrongUse } from './failure.ts';

/** The options that both commands take. */
export const ruleOptions = {
  settings: { type: 'string' },
  lenient: { type: 'boolean' },
  'uk-policy': { type: 'string' },
  'allowed-domains': { type: 'string' },
} as const;

export interface RuleValues {
  settings?: string | undefined;
  lenient?: boolean | undefined;
  'uk-policy'?: string | undefined;
  'allowed-domains'?: string | undefined;
}

// The file may have other sections, which are ignored. A misspelt field in this one is reported.
const settingsFile = z.object({ emailValidation: z.strictObject(emailValidationSettings.shape) });

/**
 * The current rules. They come from the settings file, or from the product's defaults if there is
 * none. The command's own options override them.
 */
export async function rulesGiven(values: RuleValues): Promise<EmailValidation> {
  const rules =
    values.settings === undefined ? emailValidationSettings.parse({}) : await readSettings(values.settings);
  const endings = values['allowed-domains'];
  return {
    ...rules,
    ...(values.lenient ? { strictValidation: false } : {}),
    ...(values['uk-policy'] === undefined ? {} : { ukPolicy: policyNamed(values['uk-policy']) }),
    ...(endings === undefined ? {} : { allowedDomains: endingsIn(endings) }),
  };
}

function policyNamed(text: string): UkPolicy {
  const policy = ukPolicies.find((known) => known === text);
  if (!policy) throw new WrongUse(`--uk-policy is one of ${ukPolicies.join(', ')}, not “${text}”.`);
  return policy;
}

function endingsIn(text: string): string[] {
  const endings = text.split(',').filter((ending) => ending.trim() !== '');
  const read = emailValidationSettings.shape.allowedDomains.safeParse(endings);
  if (!read.success) throw new WrongUse(`--allowed-domains: ${read.error.issues[0]?.message}`);
  const wrong = read.data.find((ending) => domainToASCII(ending.replace(/^\./, '')) === '');
  if (wrong !== undefined) throw new WrongUse(`--allowed-domains: “${wrong}” is not a domain ending.`);
  return read.data;
}

async function readSettings(path: string): Promise<EmailValidation> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw aboutFile(error, path);
  });
  let json: unknown;
  try {
    json = JSON.parse(text.replace(/^\ufeff/, ''));
  } catch {
    throw new Failure(`${path} is not JSON. Save the answer of GET /api/settings there.`);
  }
  const read = settingsFile.safeParse(json);
  if (read.success) return read.data.emailValidation;
  const [issue] = read.error.issues;
  const field = issue?.path.join('.');
  throw new Failure(
    `${path} does not hold settings as GET /api/settings answers them: ${field ? `${field}: ` : ''}${issue?.message}`,
  );
}
