import { describe, expect, it } from 'vitest';
import { createLogger } from './logging.ts';

describe('createLogger', () => {
  it('blots out what must not be read by whoever reads logs', () => {
    let written = '';
    const write = (line: string) => {
      written += line;
    };
    const log = createLogger('info', { write });
    log.info(
      {
        password: 'p-1',
        request: { headers: { cookie: 'c-1', authorization: 'a-1' } },
        user: { token: 't-1' },
      },
      'in',
    );
    expect(written).toContain('"msg":"in"');
    expect(written).not.toMatch(/[pcat]-1/);
  });
});
