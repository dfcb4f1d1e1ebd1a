import { IconAlertTriangle, IconCheck } from '@tabler/icons-react';
import { colourOf, contrastOf } from '../../rules/html/contrast.ts';
import classes from './visual.module.css';

/** WCAG 2.2 asks 4.5 of words of this size. */
const leastContrast = 4.5;

/** Whether words can be read on their ground. */
export function Contrast({ words, ground }: { words: string; ground: string }) {
  const [one, other] = [colourOf(words), colourOf(ground)];
  if (!one || !other) return null;
  const contrast = contrastOf(one, other);
  const isEnough = contrast >= leastContrast;
  return (
    <p className={classes.contrast} data-low={!isEnough || undefined}>
      {isEnough ? <IconCheck size={14} stroke={2} /> : <IconAlertTriangle size={14} stroke={1.6} />}
      Contrast {contrast.toFixed(1)} : 1{!isEnough && ', hard to read'}
    </p>
  );
}
