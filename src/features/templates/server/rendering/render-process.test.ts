import { afterEach, describe, expect, it } from 'vitest';
import { renderApart } from './render-process.ts';

const guest = { workspaceId: 1 };
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
    expect((await renderApart(guest, 'mjml', message('Next'))).html).toContain('Next');
  });

  it('is refused with a sentence when it takes too much memory, and this process lives on', async () => {
    await renderApart(guest, 'mjml', message('Warm'));
    await expect(renderApart(guest, 'mjml', bomb(400_000))).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringMatching(/takes too (much memory|long)|more than 1 MB of HTML/),
    });
    expect(process.memoryUsage().rss).toBeLessThan(2 * 1024 ** 3);
  }, 60_000);

  it('takes none away from others who ask at the same time', async () => {
    const asked = [bomb(20_000), message('One'), bomb(400_000), message('Two')];
    const settled = await Promise.allSettled(
      asked.map((mjml, at) => renderApart({ workspaceId: 1 + (at % 2) }, 'mjml', mjml)),
    );
    expect(settled.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'rejected', 'fulfilled']);
  }, 90_000);

  it('comes in turn by workspace, however much one of them asks for', async () => {
    const other = { workspaceId: 2 };
    const long = message('x'.repeat(50)).replace(/<mj-section>.*<\/mj-section>/, (part) => part.repeat(60));
    const made: number[] = [];
    const asked = [...Array.from({ length: 50 }, () => guest), other].map(async (one) => {
      await renderApart(one, 'mjml', one === guest ? long : message('Short'));
      made.push(one.workspaceId);
    });
    await Promise.all(asked);
    expect(made).toHaveLength(51);
    // A process that loads first takes as long as a few of these, on busy cores as long as twenty.
    expect(made.at(-1)).toBe(1);
  }, 60_000);

  it('is refused to one person who has too much of it waiting', async () => {
    const asked = Array.from({ length: 66 }, (_, at) => renderApart(guest, 'mjml', message(`${at}`)));
    const settled = await Promise.allSettled(asked);
    const refused = settled.filter((one) => one.status === 'rejected');
    expect(refused).toHaveLength(4);
    expect(refused[0]?.reason).toMatchObject({ code: 'unavailable', retryAfter: 2 });
  }, 60_000);

  it('is not made for a caller who has gone meanwhile', async () => {
    const call = new AbortController();
    const first = renderApart(guest, 'mjml', message('First'));
    const left = renderApart({ ...guest, gone: call.signal }, 'mjml', message('Left'));
    call.abort(new Error('hung up'));
    await expect(left).rejects.toThrow('hung up');
    await expect(renderApart({ ...guest, gone: call.signal }, 'mjml', message('Gone'))).rejects.toThrow(
      'hung up',
    );
    await first;
  }, 60_000);
});
