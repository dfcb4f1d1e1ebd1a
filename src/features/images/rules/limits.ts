/** The largest file that is taken, in megabytes of 1,048,576 bytes. */
export const mostMegabytes = 5;

/** Pixels, all frames of an animation together. Looked at before anything is decoded. */
export const mostPixels = 50_000_000;

/** Twice the width of an email, for screens of high density. */
export const widest = 1200;
/** Taller than any phone scrolls. */
export const tallest = 4800;

/** What the images of a workspace may take up. With those it has deleted lately, twice as much. */
export const mostBytes = 1_000_000_000;
export const mostImages = 10_000;

/** Larger ones keep readers waiting on a phone. */
export const heavyBytes = 200_000;

/** What a mail that was sent shows stays at its address for this long, deleted or not. */
export const sentYears = 2;

/** Deleted images can be restored for this long. */
export const deletedDays = 30;

export const longestName = 120;
export const longestAlt = 300;
