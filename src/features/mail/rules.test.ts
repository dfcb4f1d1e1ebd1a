import { describe, expect, it } from 'vitest';
import {
  isFinal,
  mailHtml,
  mailText,
  meetsEveryMail,
  oneLine,
  retryMinutes,
  sendingAgainProblem,
} from './rules.ts';

const content = {
  title: 'Join <Harbour & Pine>',
  paragraphs: ['Priya "P" asks you.'],
  button: { label: 'Join', url: 'https://mail.example.org/invitation/a?b=1&c="2"' },
  reason: 'You get this because somebody typed your address.',
};

describe('what a mail says', () => {
  it('is the same in text and in HTML, the link included', () => {
    for (const part of [content.title, ...content.paragraphs, content.button.url, content.reason])
      expect(mailText(content)).toContain(part);
    expect(mailHtml(content)).toContain('Join &#60;Harbour &#38; Pine&#62;');
  });

  it('lets no name become markup', () => {
    const html = mailHtml({ ...content, title: '<script>alert(1)</script>', paragraphs: ['<img src=x>'] });
    expect(html).not.toContain('<script');
    expect(html).not.toContain('<img');
    expect(html).toContain('href="https://mail.example.org/invitation/a?b=1&#38;c=&#34;2&#34;"');
  });

  it('has a subject of one line', () => {
    expect(oneLine('Hello\r\nBcc: everybody@example.org')).toBe('Hello Bcc: everybody@example.org');
  });
});

describe('a mail that was not taken', () => {
  it('waits longer each time and is then given up', () => {
    const waits = Array.from({ length: 8 }, (_, index) => retryMinutes(index + 1));
    expect(waits).toEqual([1, 5, 15, 60, 180, 360, 720, null]);
  });

  it('is given up at once when the server says never', () => {
    const answers = [421, 550, 530, undefined].map((responseCode) => ({ command: 'RCPT TO', responseCode }));
    expect(answers.map(isFinal)).toEqual([false, true, false, false]);
    expect(isFinal({ command: 'DATA', responseCode: 554 })).toBe(true);
  });

  it.each([
    ['CONN', 554],
    ['AUTH PLAIN', 535],
    ['MAIL FROM', 550],
    ['CONN', undefined],
  ])(
    'waits where the server takes no mail of ours (%s, %s), and so do the others',
    (command, responseCode) => {
      expect(isFinal({ command, responseCode })).toBe(false);
      expect(meetsEveryMail({ command })).toBe(true);
    },
  );

  it('says nothing of the others', () => {
    expect([{ command: 'RCPT TO' }, { command: 'DATA' }, {}].map(meetsEveryMail)).toEqual([
      false,
      false,
      false,
    ]);
  });

  it('is sent again only when it has neither left nor is about to', () => {
    const problem = (status: 'kept' | 'waiting' | 'sent' | 'failed', attempts = 1, hasMailServer = true) =>
      sendingAgainProblem({ status, attempts }, hasMailServer);
    expect([problem('failed'), problem('kept', 0)]).toEqual([null, null]);
    expect(problem('sent')).toContain('sent already');
    expect(problem('waiting')).toContain('being sent');
    expect(problem('waiting', 0)).toContain('first time');
    expect(problem('failed', 8, false)).toContain('No mail server');
  });
});
