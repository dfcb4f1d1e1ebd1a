// Until the first screen is drawn, the spinner of index.html stands. If the product's code cannot be
// fetched or does not run, nothing else could say so.
addEventListener(
  'error',
  ({ target }) => {
    const spinner = document.querySelector('.starting');
    // The page does without its icon, or a font that was asked for ahead.
    if (!spinner || (target instanceof HTMLLinkElement && target.rel !== 'stylesheet')) return;
    const words = document.createElement('p');
    words.textContent = 'The page could not be loaded. Is the network there?';
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
