// npm run bench: how fast replies are read. With --coverage: how many are read as they were meant.
await (process.argv.includes('--coverage') ? import('./coverage.mjs') : import('./parse.mjs'))

export {}
