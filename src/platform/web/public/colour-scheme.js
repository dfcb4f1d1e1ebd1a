// Runs before the first paint so that a dark screen never flashes white. The preference (`light`,
// `dark` or `system`) is kept under `ui-theme`. The page itself reads it again through
// colour-scheme.ts.
(() => {
  let preference = 'system';
  try {
    preference = localStorage.getItem('ui-theme') || 'system';
  } catch {
    // Storage is switched off: follow the operating system.
  }
  const dark =
    preference === 'dark' || (preference !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light');
})();
