/** What a variant of a test has achieved. */
export interface Tried {
  /** People who got it. */
  people: number;
  /** How many of them did what counts: opened or clicked. */
  did: number;
}

/** Steps of the integration: the result is exact to the percent with far fewer. */
const steps = 2_000;

/**
 * How probable it is for each variant that its true rate is the highest, between 0 and 1. Before
 * any answer every rate counts as equally probable; then a rate has the beta distribution with
 * `did + 1` and `people - did + 1`. The chance of one variant is the integral of its density times
 * the probabilities of the others to be lower.
 */
export function chancesToBeBest(variants: readonly Tried[]): number[] {
  if (variants.length === 0) return [];
  const [from, to] = reach(variants);
  const width = (to - from) / steps;
  const rates = Array.from({ length: steps }, (_, step) => from + (step + 0.5) * width);
  const densities = variants.map((variant) => normalised(rates.map((rate) => logDensity(variant, rate))));
  const below = densities.map(summed);
  const chances = densities.map((density, place) =>
    density.reduce((sum, mass, step) => {
      const others = below.reduce(
        (product, of, other) => (other === place ? product : product * (of[step] as number)),
        1,
      );
      return sum + mass * others;
    }, 0),
  );
  // Whole to within the steps; equal variants share it.
  const all = chances.reduce((sum, chance) => sum + chance, 0);
  return chances.map((chance) => chance / all);
}

/** Where the rates can be at all. */
function reach(variants: readonly Tried[]): [from: number, to: number] {
  const ends = variants.map(({ people, did }) => {
    const [a, b] = [did + 1, people - did + 1];
    const mean = a / (a + b);
    const spread = 8 * Math.sqrt((mean * (1 - mean)) / (a + b + 1));
    return [mean - spread, mean + spread] as const;
  });
  return [
    Math.max(0, Math.min(...ends.map(([low]) => low))),
    Math.min(1, Math.max(...ends.map(([, high]) => high))),
  ];
}

const logDensity = ({ people, did }: Tried, rate: number): number =>
  did * Math.log(rate) + (people - did) * Math.log1p(-rate);

/** Densities that add up to one, from their logarithms. */
function normalised(logs: readonly number[]): number[] {
  const highest = logs.reduce((high, log) => Math.max(high, log), Number.NEGATIVE_INFINITY);
  const densities = logs.map((log) => Math.exp(log - highest));
  const all = densities.reduce((sum, density) => sum + density, 0);
  return densities.map((density) => density / all);
}

/** The probability to be lower than each rate. Half of its own step counts as lower. */
function summed(density: readonly number[]): number[] {
  let sum = 0;
  return density.map((mass) => {
    sum += mass;
    return sum - mass / 2;
  });
}
