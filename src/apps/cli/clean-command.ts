import { type Cleaned, cleanFile } from './clean.ts';
import { type CleanOptions, readCleanOptions } from './clean-options.ts';
import { jsonOf, type Told, textOf } from './clean-report.ts';
import { exitCodes, Failure } from './failure.ts';
import { openInput, standard } from './input.ts';
import { Output } from './output.ts';
import { showProgress } from './progress.ts';
import { rulesGiven } from './rules-given.ts';
import { SuppressionList } from './suppression-list.ts';

/** `email-manager clean`: returns the exit code. */
export async function cleanCommand(args: string[]): Promise<number> {
  const options = readCleanOptions(args);
  const started = performance.now();
  const rules = await rulesGiven(options.rules);
  const suppressions = await readSuppressions(options.suppressions);
  const input = await openInput(options.input, options.sheet);
  const outputs: Output[] = [];
  const opened = async (path: string | null): Promise<Output | null> => {
    if (path === null) return null;
    const output = await Output.open(path);
    outputs.push(output);
    return output;
  };
  const progress = showProgress(input.size);
  let cleaned: Cleaned;
  try {
    const out = await opened(options.out);
    const rejects = await opened(options.rejects);
    cleaned = await cleanFile({
      options,
      rules,
      input,
      suppressions,
      out,
      rejects,
      onProgress: progress.tell,
    });
    await commit(outputs);
  } catch (error) {
    for (const output of outputs) await output.discard();
    throw error;
  } finally {
    progress.end();
    await input.close();
  }
  const seconds = (performance.now() - started) / 1000;
  await report({ options, rules, input, suppressions, cleaned, seconds });
  const leftOut = cleaned.rows - cleaned.counts.imported;
  return options.failOnRejects && leftOut > 0 ? exitCodes.rejects : exitCodes.done;
}

async function commit(outputs: readonly Output[]): Promise<void> {
  const written: string[] = [];
  for (const output of outputs) {
    await output.commit().catch((error: unknown) => {
      throw error instanceof Failure ? new Failure(error.message, written) : error;
    });
    written.push(output.name);
  }
}

async function readSuppressions(paths: readonly string[]): Promise<SuppressionList | null> {
  if (paths.length === 0) return null;
  const list = new SuppressionList(Date.now());
  for (const path of paths) await list.read(path);
  return list;
}

/**
 * Reports for people go to standard error. Reports for programs go to standard output, unless rows
 * go there. A preview is itself the output.
 */
async function report(told: Told): Promise<void> {
  const { options } = told;
  const takesOutput = usesStandardOutput(options);
  const text = options.json ? `${JSON.stringify(jsonOf(told), null, 2)}\n` : textOf(told);
  const toOutput = (options.json || options.preview) && !takesOutput;
  if (!toOutput) process.stderr.write(text);
  else {
    const output = await Output.open(standard);
    output.add(text);
    await output.finish();
  }
}

const usesStandardOutput = ({ out, rejects }: CleanOptions): boolean =>
  out === standard || rejects === standard;
