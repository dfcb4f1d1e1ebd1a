import { makeDataDir, removeDataDir, startProduct } from '#test/support/product.ts';
import { report } from './report.ts';

// From the command to the line "is ready", with packages and the web application present. Measures
// the second start on a DATA_DIR, as after every update or restart.
const dataDir = makeDataDir();
try {
  await (await startProduct(dataDir)).stop();
  const times: number[] = [];
  for (let round = 0; round < 3; round++) {
    const began = performance.now();
    const product = await startProduct(dataDir);
    times.push((performance.now() - began) / 1000);
    await product.stop();
  }
  const median = times.sort((one, other) => one - other)[1] ?? Number.NaN;
  report({
    promise: 'start with packages present',
    figure: `${median.toFixed(2)} s`,
    against: '3 s',
    ratio: median / 3,
  });
} finally {
  removeDataDir(dataDir);
}
