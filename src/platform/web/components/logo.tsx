import classes from './logo.module.css';

/** The product's mark: an envelope that is also a tick. */
export function LogoMark({ size = 28 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 28 28" fill="none" aria-hidden>
      <rect width="28" height="28" rx="7" fill="var(--mantine-primary-color-filled)" />
      <path
        d="M7 10.5v8A1.5 1.5 0 0 0 8.5 20h11a1.5 1.5 0 0 0 1.5-1.5v-6"
        stroke="#fff"
        strokeOpacity=".55"
        strokeWidth="1.8"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
      <path
        d="m7.5 10.8 5.6 4.9a1.4 1.4 0 0 0 1.9-.1L22 8.6"
        stroke="#fff"
        strokeWidth="2.2"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}

/** Mark and name, at the top of every page for signed-out visitors. */
export function BrandLine() {
  return (
    <span className={classes.brand}>
      <LogoMark />
      <span>
        <span className={classes.name}>Email Manager</span>
        <span className={classes.subtitle}>Marketing Database</span>
      </span>
    </span>
  );
}
