import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { describeVerdictReason, type WorkspaceJudgement } from '#features/addresses/rules.ts';
import { judgeOf } from './clean.ts';
import { exitCodes, WrongUse } from './failure.ts';
import { standard } from './input.ts';
import { Output } from './output.ts';
import { ruleOptions, rulesGiven } from './rules-given.ts';

const options = {
  ...ruleOptions,
  json: { type: 'boolean' },
  'fail-on-rejects': { type: 'boolean' },
} as const;

/** `email-manager verify`: prints verdicts on single addresses. Returns the exit code. */
export async function verifyCommand(args: string[]): Promise<number> {
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
  if (positionals.length === 0)
    throw new WrongUse('Name the addresses to verify, or - to read them from standard input, one a line.');
  const judge = judgeOf(await rulesGiven(values));
  const output = await Output.open(standard);
  let invalid = 0;
  let count = 0;
  for await (const address of addressesOf(positionals)) {
    const judgement = judge(address);
    if (judgement.verdict === 'invalid') invalid++;
    if (values.json)
      output.add(`${count === 0 ? '[\n' : ',\n'}${JSON.stringify({ input: address, ...judgement })}`);
    else output.add(`${count === 0 ? '' : '\n'}${textOf(address, judgement)}`);
    count++;
    await output.flush();
  }
  if (values.json) output.add(count === 0 ? '[]\n' : '\n]\n');
  await output.finish();
  return values['fail-on-rejects'] && invalid > 0 ? exitCodes.rejects : exitCodes.done;
}

async function* addressesOf(positionals: readonly string[]): AsyncGenerator<string> {
  for (const text of positionals) {
    if (text !== standard) yield text;
    else
      for await (const line of createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY }))
        if (line.trim() !== '') yield line;
  }
}

const ukWords = {
  uk: 'UK domain',
  likely_uk: 'UK provider',
  global: 'worldwide provider',
  not_uk: 'not a UK domain',
};

function textOf(input: string, judgement: WorkspaceJudgement): string {
  const { address, verdict, risk, reasons, suggestion, uk, kind, isAllowed } = judgement;
  const shown = printable(address === '' ? input : address);
  const facts = [
    ...(uk === null ? [] : [ukWords[uk]]),
    ...(kind === null ? [] : [kind]),
    ...(uk === null ? [] : [isAllowed ? 'kept by the UK filter' : 'left out by the UK filter']),
  ];
  const lines = [
    `${shown}: ${verdict}, risk ${risk} of 100`,
    ...(facts.length > 0 ? [`  ${facts.join(', ')}`] : []),
    ...reasons.map(({ code, evidence }) => `  ${describeVerdictReason(code)}: ${printable(evidence)}`),
    ...(suggestion === null ? [] : [`  Perhaps ${printable(suggestion)}`]),
  ];
  return `${lines.join('\n')}\n`;
}

/** Typed or piped input must not move the cursor. */
const printable = (text: string): string => text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '\ufffd');
