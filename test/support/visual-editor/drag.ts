import type { Locator } from 'playwright';

/** Drags a block of the visual editor by mouse to this share of the height of another. */
export async function drag(from: Locator, to: Locator, share: number): Promise<void> {
  const page = from.page();
  const [start, goal] = [await from.boundingBox(), await to.boundingBox()];
  if (!start || !goal) throw new Error('There is nothing to drag.');
  await page.mouse.move(start.x + start.width / 3, start.y + start.height / 2);
  await page.mouse.down();
  await page.mouse.move(start.x + start.width / 3 + 10, start.y + start.height / 2 + 10, { steps: 3 });
  const aim = [goal.x + goal.width / 2, goal.y + goal.height * share] as const;
  await page.mouse.move(...aim, { steps: 5 });
  // The line says where it would fall. It follows the pointer a moment later.
  await page.locator('[class*="_drop_"]').waitFor();
  await page.mouse.move(aim[0] + 1, aim[1]);
  await page.waitForTimeout(100);
  await page.mouse.up();
}
