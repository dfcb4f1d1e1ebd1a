import type { ComponentType } from 'react';

/** An icon component of the Tabler set. */
export type Icon = ComponentType<{ size?: number | string; stroke?: number | string; className?: string }>;
