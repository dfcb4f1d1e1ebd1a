import { type DestinationStream, type Logger, pino } from 'pino';

/** The product's log: a pino logger. Pass the object with details first, then the sentence. */
export type Log = Logger;

/** Values under these names never reach a log, down to two levels deep in the logged object. */
const secretNames = ['password', 'token', 'secret', 'secretKey', 'authorization', 'cookie', 'set-cookie'];
const redact = secretNames.flatMap((name) => [`["${name}"]`, `*["${name}"]`, `*.*["${name}"]`]);

const levelWords: Record<number, string> = {
  10: 'trace',
  20: 'debug',
  30: 'info',
  40: 'warn',
  50: 'error',
  60: 'fatal',
};

/** One line for a person at a terminal: `09:15:02 warn  message  key=value`. */
function plainLine(json: string): string {
  const {
    level,
    time,
    msg,
    pid: _pid,
    hostname: _hostname,
    err,
    ...rest
  } = JSON.parse(json) as Record<string, unknown>;
  const clock = new Date(Number(time)).toLocaleTimeString('en-GB');
  const details = Object.entries(rest).map(
    ([key, value]) => ` ${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  const stack = (err as { stack?: string } | undefined)?.stack;
  return `${clock} ${(levelWords[Number(level)] ?? '').padEnd(5)} ${msg ?? ''}${details.join('')}${stack ? `\n${stack}` : ''}\n`;
}

/**
 * The product's log: JSON lines on standard output, or short plain lines on a terminal. Passwords,
 * tokens and cookies are hidden.
 */
export function createLogger(level: string, destination?: DestinationStream): Logger {
  const options = { level, redact: { paths: redact, censor: '[hidden]' } };
  if (destination) return pino(options, destination);
  if (process.stdout.isTTY)
    return pino(options, { write: (line: string) => void process.stdout.write(plainLine(line)) });
  return pino(options);
}
