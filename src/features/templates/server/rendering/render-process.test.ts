import { afterEach, describe, expect, it } from 'vitest';
import { renderApart } from './render-process.ts';

const message = (text: string) =>
  `<mjml><mj-body><mj-section><mj-column><mj-text>${text}</mj-text></mj-column></mj-section></mj-body></mjml>`;
/** One attribute, which MJML writes into each of many elements: a thousand times what is sent. */
const bomb = (characters: number) =>
  message('x')
    .replace(
      '<mj-body>',
      `<mj-head><mj-attributes><mj-all font-family="${'a b '.repeat(characters / 4)}"/></mj-attributes></mj-head><mj-body>`,
    )
    .replace(/<mj-section>.*<\/mj-section>/, (section) => section.repeat(900));

describe('what is made in a process of its own', () => {
  afterEach(async () => {
    // Whatever happened, the next message is made.
    expect((await renderApart('mjml', message('Next'))).html).toContain('Next');
  });

  it('is refused with a sentence when it takes too much memory, and this process lives on', async () => {
    await renderApart('mjml', message('Warm'));
    await expect(renderApart('mjml', bomb(400_000))).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringMatching(/takes too (much memory|long)|more than 1 MB of HTML/),
    });
    expect(process.memoryUsage().rss).toBeLessThan(2 * 1024 ** 3);
  }, 60_000);

  it('takes none away from others who ask at the same time', async () => {
    const asked = [bomb(20_000), message('One'), bomb(400_000), message('Two')];
    const settled = await Promise.allSettled(asked.map((mjml) => renderApart('mjml', mjml)));
    expect(settled.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'rejected', 'fulfilled']);
  }, 90_000);
});
