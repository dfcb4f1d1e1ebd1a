import type { MailAnswer, MailLookup } from './mail-lookup.ts';

/** Questions asked at the same time, for all who ask for many domains together. */
const atOnce = 100;
/** The same for those who ask for one: somebody waits for its answer. */
const atOnceSingly = 20;
/**
 * After this many questions in a row without any answer, nobody is answering this asker. The rest
 * are not asked; otherwise a machine without a connection would wait for days.
 */
const silence = 300;

/** Somebody who wants to know of some domains. */
export interface Asker {
  signal: AbortSignal | undefined;
  /** Whether it is about one domain alone. */
  isSingle: boolean;
  /** Questions in a row without an answer. */
  unanswered: number;
}

export interface Questions {
  /**
   * Askers who want to know of the same domain at the same time share one question. Null: it was
   * not asked, because the asker has gone or nobody answers it. Call `release` afterwards.
   */
  ask(domain: string, asker: Asker): Promise<MailAnswer | null>;
  /** From the last release on, the domain is asked for anew. */
  release(domain: string): void;
}

interface Question {
  answer: PromiseWithResolvers<MailAnswer>;
  /** Whose turn came first. Null: it waits for its turn. */
  askedBy: Asker | null;
  /** How many share it. */
  holders: number;
}

export function createQuestions(lookup: MailLookup): Questions {
  const questions = new Map<string, Question>();
  const [many, singles] = [createLane(atOnce), createLane(atOnceSingly)];
  const count = (asker: Asker, { state }: MailAnswer) => {
    asker.unanswered = state === 'unknown' ? asker.unanswered + 1 : 0;
  };
  const questionOf = (domain: string): Question => {
    const known = questions.get(domain);
    if (known) return known;
    const question = { answer: Promise.withResolvers<MailAnswer>(), askedBy: null, holders: 0 };
    questions.set(domain, question);
    return question;
  };
  return {
    async ask(domain, asker) {
      const question = questionOf(domain);
      question.holders += 1;
      const { promise, resolve } = question.answer;
      // Each has its own place in line, so that nobody waits for the turn of another asker.
      const turn = async (): Promise<MailAnswer | null> => {
        const lane = asker.isSingle ? singles : many;
        await lane(asker, async () => {
          if (question.askedBy || asker.signal?.aborted || asker.unanswered >= silence) return;
          question.askedBy = asker;
          const found = await lookup.ask(domain);
          count(asker, found);
          resolve(found);
        });
        return question.askedBy ? promise : null;
      };
      const found = await (question.askedBy ? promise : Promise.race([promise, turn()]));
      if (found && question.askedBy !== asker) count(asker, found);
      return found;
    },
    release(domain) {
      const question = questions.get(domain);
      if (!question) return;
      question.holders -= 1;
      if (question.holders === 0) questions.delete(domain);
    },
  };
}

type Lane = (asker: Asker, work: () => Promise<void>) => Promise<void>;

/** Runs at most `width` pieces of work at the same time. Askers whose work waits take turns. */
function createLane(width: number): Lane {
  let free = width;
  /** By asker, and never empty. Whose turn is next comes first. */
  const lines = new Map<Asker, (() => void)[]>();
  const lineUp = (asker: Asker) =>
    new Promise<void>((resolve) => {
      const line = lines.get(asker);
      if (line) line.push(resolve);
      else lines.set(asker, [resolve]);
    });
  const handOn = () => {
    for (const [asker, line] of lines) {
      lines.delete(asker);
      const next = line.shift();
      if (line.length > 0) lines.set(asker, line);
      next?.();
      return;
    }
    free += 1;
  };
  return async (asker, work) => {
    if (free === 0) await lineUp(asker);
    else free -= 1;
    try {
      await work();
    } finally {
      handOn();
    }
  };
}
