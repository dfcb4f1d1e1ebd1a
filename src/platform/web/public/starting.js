// Until the first screen is drawn, the spinner of index.html stands. If the product's code cannot be
// fetched or does not run, nothing else could say so.
addEventListener(
  'error',
  ({ target }) => {
    const spinner = document.querySelector('.starting');
    // The page does without its icon, or a font that was asked for ahead.
    if (!spinner || (target instanceof HTMLLinkElement && target.rel !== 'stylesheet')) return;
    const words = document.createElement('p');
    // A file that did not come, or code that does not run here.
    words.textContent =
      target instanceof Element
        ? 'The page could not be loaded. Is the network there?'
        : 'The page could not be started. A browser that is too old may be why.';
    const again = document.createElement('button');
    again.textContent = 'Try again';
    again.addEventListener('click', () => location.reload());
    const note = document.createElement('div');
    note.className = 'not-started';
    note.setAttribute('role', 'alert');
    note.append(words, again);
    spinner.replaceWith(note);
  },
  true,
);
