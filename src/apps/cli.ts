import { readFileSync } from 'node:fs';
import { cleanCommand } from './cli/clean-command.ts';
import { exitCodes, Failure, isForThePerson, NobodyReads, WrongUse } from './cli/failure.ts';
import { helpOf } from './cli/help.ts';
import { removeUnfinished } from './cli/output.ts';
import { verifyCommand } from './cli/verify-command.ts';

/** The command `email-manager`: the product's rules on a file, without server or database. */

const commands: Record<string, ((args: string[]) => Promise<number>) | undefined> = {
  clean: cleanCommand,
  verify: verifyCommand,
};

async function main(args: string[]): Promise<number> {
  const [name = '', ...rest] = args;
  // After `--` everything is a name.
  const end = rest.indexOf('--');
  const asksForHelp = (end < 0 ? rest : rest.slice(0, end)).some((arg) => arg === '--help' || arg === '-h');
  if (name === '--version' || name === '-V') return print(`email-manager ${version()}\n`);
  if (name === '--help' || name === '-h' || name === 'help') return print(helpNamed(rest[0]));
  if (name === '') throw new WrongUse('Say what to do: clean or verify.');
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command) throw new WrongUse(`There is no command “${name}”: there are clean and verify.`);
  return asksForHelp ? print(helpNamed(name)) : command(rest);
}

const helpNamed = (name: string | undefined): string =>
  name === 'clean' || name === 'verify' ? helpOf[name] : helpOf.main;

function print(text: string): number {
  process.stdout.write(text);
  return exitCodes.done;
}

function version(): string {
  const file = new URL('../../package.json', import.meta.url);
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}

/** Puts errors from Node's argument parser into our own sentences. */
function wrongUseIn(error: unknown): WrongUse | null {
  if (error instanceof WrongUse) return error;
  const { code, message = '' } = error as NodeJS.ErrnoException;
  const option = /'(?:-\w, )?(-{1,2}[^' =]+)/.exec(message)?.[1] ?? '';
  if (code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION') return new WrongUse(`There is no option ${option}.`);
  if (code === 'ERR_PARSE_ARGS_INVALID_OPTION_VALUE')
    return new WrongUse(
      message.includes('does not take an argument')
        ? `${option} takes no value.`
        : `${option} needs a value behind it.`,
    );
  return code?.startsWith('ERR_PARSE_ARGS') ? new WrongUse(message) : null;
}

function exitCodeOf(error: unknown, command: string): number {
  if (error instanceof NobodyReads) return exitCodes.failed;
  const wrongUse = wrongUseIn(error);
  if (wrongUse !== null) {
    const help = command === 'clean' || command === 'verify' ? ` ${command}` : '';
    process.stderr.write(`${wrongUse.message}\nSee email-manager${help} --help.\n`);
    return exitCodes.wrongUse;
  }
  // An error without its own sentence is a fault of the program. The stack trace helps to fix it.
  const told = isForThePerson(error) ? error.message : `Something went wrong.\n${(error as Error).stack}`;
  const [written] = error instanceof Failure ? error.written : [];
  const left = written === undefined ? 'Nothing was written.' : `Only ${written} was written.`;
  process.stderr.write(`${told}\n${left}\n`);
  return exitCodes.failed;
}

for (const [signal, number] of [
  ['SIGINT', 2],
  ['SIGTERM', 15],
  ['SIGHUP', 1],
] as const) {
  process.once(signal, () => {
    removeUnfinished();
    process.exit(128 + number);
  });
}
// The code that writes the output notices when the reader goes away. Passing messages may get lost.
process.stdout.on('error', () => undefined);
process.stderr.on('error', () => undefined);

const args = process.argv.slice(2);
try {
  process.exitCode = await main(args);
} catch (error) {
  process.exitCode = exitCodeOf(error, args[0] ?? '');
}
// Standard input may still be open, but nobody waits for it.
process.stdin.unref?.();
