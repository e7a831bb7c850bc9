import { cpSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { BUILT } from './oracle.mjs'

/** Makes the printer copy the model's text unchanged. */
export const COPYING = {
  file: 'shell/analyze.js',
  now: 'const printed = printScript(found, text, fileSystem);',
  before:
    'const printed = found.misread === undefined ? { runs: text } : { unprinted: found.misread };',
}

const BRACES = {
  file: 'shell/coverage.js',
  now: "return mayBeBraces(bare.replace(/\\\\[^]/g, 'x'));",
  before: 'return false;',
}

/** Holes found by hand: the parser's check that closes each, and commands that reveal it. */
export const HOLES = [
  {
    hole: 'text after an array',
    match: '=(a)',
    parser: [
      {
        file: 'shell/coverage.js',
        now: 'hides: hides(node)',
        before: "hides: node.type === 'Word' && hides(node)",
      },
    ],
  },
  {
    hole: 'a descriptor before a process substitution',
    match: '1>(',
    parser: [
      {
        file: 'shell/coverage.js',
        now: '[^\\s$`\'"\\\\<>()|&;]',
        before: '[^\\s$`\'"\\\\]',
      },
      BRACES,
    ],
  },
  {
    hole: 'unbalanced braces',
    match: '{x},',
    parser: [BRACES],
  },
  {
    hole: 'a word after `>&-`',
    match: '>&-',
    parser: [
      {
        file: 'shell/redirect.js',
        now: "if (redirect.target?.text.startsWith('-'))",
        before: 'if (false)',
      },
    ],
  },
  {
    // This hole is in the judging, so no printer closes it.
    hole: 'a program in a folder that has the name of a builtin',
    match: './true',
    parser: [
      {
        file: 'shell/programs/index.js',
        now: 'export function programNamed(name) {',
        before: "export function programNamed(name) { name = name.replace(/^.*\\//, '');",
      },
    ],
    printer: [],
  },
  {
    hole: 'a quote that the printer does not escape',
    match: '; touch P',
    texts: 3000,
    parser: [],
    printer: [
      {
        file: 'shell/print-word.js',
        now: 'text.replaceAll("\'", `\'"\'"\'`)',
        before: 'text',
      },
    ],
  },
]

/**
 * A copy of the built permissions with some code replaced. Each original must occur exactly once.
 */
export function reopened(patches) {
  // Next to the modules that it imports.
  const cache = join(dirname(fileURLToPath(import.meta.url)), '../../node_modules/.cache')
  mkdirSync(cache, { recursive: true })
  const copy = mkdtempSync(join(cache, 'shell-'))
  cpSync(BUILT, copy, { recursive: true, filter: (path) => !/\.d\.ts$|\.map$/.test(path) })
  writeFileSync(join(copy, 'package.json'), '{"type":"module"}')
  for (const { file, now, before } of patches) {
    const parts = readFileSync(join(copy, file), 'utf8').split(now)
    if (parts.length !== 2)
      throw new Error(`${file} contains this ${parts.length - 1} times instead of once: ${now}`)
    writeFileSync(join(copy, file), parts.join(before))
  }
  return copy
}
