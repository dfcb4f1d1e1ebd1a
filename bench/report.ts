/** One promise of the product, measured. */
export interface Result {
  promise: string;
  figure: string;
  /** What it is measured against: a yardstick from the same run, or the promised figure. */
  against: string;
  /** Measured ÷ allowed. At most 1 keeps the promise. */
  ratio: number;
}

export const resultMark = '@result ';

/** Prints the result for a person, and for `bench/all.ts`, which builds the table. */
export function report(result: Result): void {
  console.log(`${result.promise}: ${result.figure}; against ${result.against}: ${result.ratio.toFixed(2)}`);
  if (process.env.BENCH_TABLE) console.log(resultMark + JSON.stringify(result));
}
