#!/usr/bin/env node
import { existsSync } from 'node:fs'

const bundle = new URL('../bundle/', import.meta.url)
const bundled = new URL('main.js', bundle)
const main = new URL('../dist/main.js', import.meta.url)

if (existsSync(bundled)) {
  // Lets users' own files import the modules of this bundle.
  Object.assign(globalThis, { [Symbol.for('toolglot.bundle')]: bundle.href })
  await import(bundled.href)
} else if (existsSync(main)) {
  await import(main.href)
} else {
  console.error('toolglot is not built yet: run npm run build')
  process.exitCode = 1
}
