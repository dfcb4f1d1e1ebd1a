import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

describe('leaving a workspace or an account', () => {
  const assign = vi.fn();
  beforeEach(() => {
    vi.resetModules();
    vi.stubGlobal('window', { location: { assign }, addEventListener: () => {} });
  });
  afterEach(() => {
    vi.resetModules();
    vi.unstubAllGlobals();
    assign.mockReset();
  });

  /** A screen whose save is answered on purpose, and what is tried meanwhile. */
  async function written() {
    const { enterWorkspace, onLeaving, signOut } = await import('./leaving.ts');
    const { noteWork } = await import('#platform/web/unsaved-work.ts');
    const saving = Promise.withResolvers<boolean>();
    const letGo = vi.fn();
    noteWork({ noun: 'The segment', isChanged: true, save: () => saving.promise, letGo });
    return { enterWorkspace, onLeaving, signOut, answerSave: saving.resolve };
  }

  it('is done once, also where another workspace is chosen meanwhile', async () => {
    const { enterWorkspace, signOut, answerSave } = await written();
    const second = vi.fn(async () => {});
    const third = vi.fn(async () => {});
    const entering = enterWorkspace(second);
    expect(await enterWorkspace(third)).toBe(false);
    await signOut();
    answerSave(true);
    expect(await entering).toBe(true);
    expect(await enterWorkspace(third)).toBe(false);
    expect(second).toHaveBeenCalledOnce();
    expect(third).not.toHaveBeenCalled();
    expect(assign).toHaveBeenCalledOnce();
  });

  it('asks one question at a time, and may be tried again once somebody stays', async () => {
    const { enterWorkspace, onLeaving, answerSave } = await written();
    const ask = vi.fn(async () => 'stay' as const);
    onLeaving(ask);
    answerSave(false);
    const move = vi.fn(async () => {});
    expect(await Promise.all([enterWorkspace(move), enterWorkspace(move)])).toEqual([false, false]);
    expect(ask).toHaveBeenCalledOnce();
    expect(await enterWorkspace(move)).toBe(false);
    expect(ask).toHaveBeenCalledTimes(2);
    expect(move).not.toHaveBeenCalled();
  });

  it('may be tried again once the move has failed', async () => {
    const { enterWorkspace, answerSave } = await written();
    answerSave(true);
    const refused = new Error('No.');
    await expect(enterWorkspace(() => Promise.reject(refused))).rejects.toBe(refused);
    expect(await enterWorkspace(async () => {})).toBe(true);
  });
});
