// Applies the light or dark theme before the first paint. A separate blocking file, because the
// page's content security policy forbids inline scripts; theme.ts takes over afterwards.
const stored = localStorage.getItem('toolglot-theme')
const isDark =
  stored === 'dark' || (stored !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
document.documentElement.dataset.theme = isDark ? 'dark' : 'light'
