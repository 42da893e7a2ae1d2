// Runs before the first paint so that the page never flashes in the wrong theme.
// Mirrors src/hooks/use-theme.ts: the key and the class must stay the same.
(function () {
  var choice = null;
  try {
    choice = localStorage.getItem('theme');
  } catch {
    // Storage may be forbidden; the system's preference decides then.
  }
  var dark = choice === 'dark' || (choice !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.classList.toggle('dark', dark);
})();
