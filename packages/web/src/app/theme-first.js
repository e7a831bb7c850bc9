// Chooses light or dark before anything is drawn. It is a file of its own that blocks, because the policy of the page allows no
// script in it; afterwards theme.ts does the same.
const stored = localStorage.getItem('toolglot-theme')
const isDark =
  stored === 'dark' || (stored !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
document.documentElement.dataset.theme = isDark ? 'dark' : 'light'
