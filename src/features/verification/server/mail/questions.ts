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
  /** The asker has gone: what waits for its turn is not asked. */
  leave(asker: Asker): void;
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

const isGone = ({ signal, unanswered }: Asker): boolean => signal?.aborted || unanswered >= silence;

export function createQuestions(lookup: MailLookup): Questions {
  const questions = new Map<string, Question>();
  const [many, singles] = [createLane(atOnce), createLane(atOnceSingly)];
  const laneOf = (asker: Asker) => (asker.isSingle ? singles : many);
  const leave = (asker: Asker) => laneOf(asker).leave(asker);
  const count = (asker: Asker, { state }: MailAnswer) => {
    asker.unanswered = state === 'unknown' ? asker.unanswered + 1 : 0;
    if (asker.unanswered >= silence) leave(asker);
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
        if (isGone(asker)) return null;
        await laneOf(asker).run(asker, async () => {
          if (question.askedBy || isGone(asker)) return;
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
    leave,
    release(domain) {
      const question = questions.get(domain);
      if (!question) return;
      question.holders -= 1;
      if (question.holders === 0) questions.delete(domain);
    },
  };
}

interface Lane {
  /** Does the work when it is the asker's turn, unless the asker leaves before. */
  run(asker: Asker, work: () => Promise<void>): Promise<void>;
  leave(asker: Asker): void;
}

/** Does at most `width` pieces of work at the same time. Askers whose work waits take turns. */
function createLane(width: number): Lane {
  let free = width;
  /** By asker, and never empty. Whose turn is next comes first. */
  const lines = new Map<Asker, ((isTurn: boolean) => void)[]>();
  const lineUp = (asker: Asker) =>
    new Promise<boolean>((resolve) => {
      const line = lines.get(asker);
      if (line) line.push(resolve);
      else lines.set(asker, [resolve]);
    });
  const handOn = () => {
    for (const [asker, line] of lines) {
      lines.delete(asker);
      const next = line.shift();
      if (line.length > 0) lines.set(asker, line);
      next?.(true);
      return;
    }
    free += 1;
  };
  return {
    async run(asker, work) {
      if (free > 0) free -= 1;
      else if (!(await lineUp(asker))) return;
      try {
        await work();
      } finally {
        handOn();
      }
    },
    leave(asker) {
      const line = lines.get(asker) ?? [];
      lines.delete(asker);
      for (const answer of line) answer(false);
    },
  };
}
