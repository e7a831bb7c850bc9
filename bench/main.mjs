// npm run bench: the speed of reading replies. With --coverage: how many are read correctly. With a
// name: the speed of other parts.
const [word = ''] = process.argv.slice(2).filter((each) => !each.startsWith('--quick'))

/** @type {Record<string, () => Promise<unknown>>} */
const parts = {
  '--coverage': () => import('./coverage.mjs'),
  'ai-sdk': () => import('./ai-sdk.mjs'),
  arguments: () => import('./arguments.mjs'),
  gateway: () => import('./gateway.mjs'),
  hostile: () => import('./hostile.mjs'),
  journal: () => import('./journal.mjs'),
  names: () => import('./names.mjs'),
  one: () => import('./one.mjs'),
  prompts: () => import('./prompts.mjs'),
  permit: () => import('./permit.mjs'),
  run: () => import('./run.mjs'),
  scale: () => import('./scale.mjs'),
  'first-start': () => import('./first-start.mjs'),
  startup: () => import('./startup.mjs'),
  tools: () => import('./tools.mjs'),
}

await (parts[word] ?? (() => import('./parse.mjs')))()

export {}
