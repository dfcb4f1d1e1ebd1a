import { expect, it } from 'vitest';
import { compileTemplate } from '#features/templates/rules/compile.ts';
import { fillSubjects } from './fill-subjects.ts';

const compiled = (subject: string) => compileTemplate({ subject, preheader: '', html: '', text: '' });
const people = Array.from({ length: 1_000 }, (_, n) => ({ n }));
const loopOf = (turns: number) => compiled(`{% for a in (1..${turns}) %}{% endfor %}Number {{ n }}`);

it('gives others the thread again and again while it fills a thousand subjects of loops', async () => {
  let turns = 0;
  let isOver = false;
  const count = () => {
    turns += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const subjects = await fillSubjects(loopOf(90), people);
  isOver = true;
  expect(subjects).toHaveLength(1_000);
  expect(subjects[999]).toBe('Number 999');
  expect(turns).toBeGreaterThan(100);
});

it('bounds the work of one subject, and that of all together', async () => {
  const tooMuch = 'This template does too much work';
  await expect(fillSubjects(loopOf(1_100), people.slice(0, 1))).rejects.toThrow(tooMuch);
  await expect(fillSubjects(loopOf(900), people.slice(0, 100))).resolves.toHaveLength(100);
  await expect(fillSubjects(loopOf(900), people)).rejects.toThrow(tooMuch);
});
