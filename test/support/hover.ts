import type { Locator } from 'playwright';

/**
 * Points at something until what that shows is there. On a busy machine parts still arrive above
 * it, so it moves away from under the pointer.
 */
export async function pointAt(target: Locator, shown: Locator): Promise<void> {
  for (let tries = 1; ; tries++) {
    await target.hover();
    try {
      return await shown.waitFor({ timeout: 3_000 });
    } catch (error) {
      if (tries >= 10) throw error;
      await target.page().mouse.move(0, 0);
    }
  }
}
