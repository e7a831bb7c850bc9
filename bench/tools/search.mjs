// Grep and Glob over a tree of 50,000 files, compared with ripgrep alone.
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { globTool, grepTool } from '@toolglot/tools'
import { findRipgrep, nodeSearch } from '@toolglot/tools/internal'
import { figure } from '../figure.mjs'
import { fileSystemIn } from './files.mjs'
import { median, timed } from '../timing.mjs'

const FILES = 50_000
const ROUNDS = 9

/** @typedef {{ name: string, ours: () => Promise<number>, theirs: string[] }} Case */

export async function measure() {
  const cwd = realpathSync(mkdtempSync(join(tmpdir(), 'toolglot-bench-')))
  try {
    plant(cwd)
    const program = await findRipgrep()
    const figures = []
    for (const each of casesIn(cwd)) figures.push(await race(each, program, cwd))
    return figures
  } finally {
    rmSync(cwd, { recursive: true, force: true })
  }
}

/**
 * Source files of 40 lines in folders of 50, and 5,000 more that are ignored.
 *
 * @param {string} root
 */
function plant(root) {
  writeFileSync(join(root, '.gitignore'), 'dist/\n')
  const endings = ['ts', 'js', 'md', 'json', 'py']
  for (let file = 0; file < FILES * 1.1; file++) {
    const place = file < FILES ? `package-${Math.floor(file / 1000)}` : 'dist'
    const folder = join(root, place, `module-${Math.floor(file / 50) % 20}`)
    if (file % 50 === 0) mkdirSync(folder, { recursive: true })
    const lines = Array.from(
      { length: 40 },
      (_, at) => `const value${at} = compute(${file}, ${at})`,
    )
    if (file % 500 === 7) lines.push('// needle')
    const name = file % 2500 === 3 ? `rare-${file}` : `file-${file}`
    writeFileSync(join(folder, `${name}.${endings[file % 5]}`), `${lines.join('\n')}\n`)
  }
}

/**
 * @param {string} cwd
 * @returns {Case[]}
 */
function casesIn(cwd) {
  const host = { fileSystem: fileSystemIn(cwd), search: nodeSearch() }
  const context = { signal: new AbortController().signal, call: 'bench', progress: () => {} }
  const grep = grepTool(host)
  const glob = globTool(host)
  /** @param {Parameters<typeof grep.execute>[0]} args */
  const found = (args) => async () => (await grep.execute(args, context)).total_matches
  /** @param {string} pattern */
  const named = (pattern) => async () => (await glob.execute({ pattern }, context)).total
  const content = /** @type {const} */ ('content')
  return [
    {
      name: 'Grep, content, 100 matches',
      ours: found({ pattern: 'needle', output_mode: content }),
      theirs: ['--line-number', '--regexp=needle'],
    },
    {
      name: 'Grep, files, 100 matches',
      ours: found({ pattern: 'needle' }),
      theirs: ['--files-with-matches', '--regexp=needle'],
    },
    {
      name: 'Grep, content, 2 000 000 matches',
      ours: found({ pattern: 'value', output_mode: content }),
      theirs: ['--line-number', '--regexp=value'],
    },
    {
      name: 'Grep, content, 100 matches in *.md',
      ours: found({ pattern: 'needle', glob: '*.md', output_mode: content }),
      theirs: ['--line-number', '--glob=*.md', '--regexp=needle'],
    },
    { name: 'Glob, **/*', ours: named('**/*'), theirs: ['--files'] },
    { name: 'Glob, **/*.ts', ours: named('**/*.ts'), theirs: ['--files', '--glob=*.ts'] },
    {
      name: 'Glob, 20 files',
      ours: named('**/rare-*'),
      theirs: ['--files', '--glob=rare-*'],
    },
  ]
}

/**
 * @param {Case} one
 * @param {string} program
 * @param {string} cwd
 */
async function race({ name, ours, theirs }, program, cwd) {
  const bare = () => ripgrep(program, theirs, cwd)
  // Warms up, and compares the results.
  const [mine, other] = [await ours(), await bare()]
  if (mine !== other) throw new Error(`${name}: ${mine} found, ripgrep finds ${other}`)
  /** @type {{ ours: number[], theirs: number[] }} */
  const times = { ours: [], theirs: [] }
  for (let round = 0; round < ROUNDS; round++) {
    times.theirs.push(await timed(bare))
    times.ours.push(await timed(ours))
  }
  const [us, them] = [median(times.ours), median(times.theirs)]
  return figure({
    group: 'Search in 50 000 files',
    name,
    unit: 'x',
    value: us / them,
    goal: { most: 1.5 },
    detail: `${us.toFixed(0)} ms against ${them.toFixed(0)} ms of rg, ${mine} found`,
  })
}

/**
 * Runs ripgrep over the same files, and counts its lines.
 *
 * @param {string} program
 * @param {string[]} args
 * @param {string} cwd
 * @returns {Promise<number>}
 */
function ripgrep(program, args, cwd) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, ['--no-config', '--hidden', '--no-require-git', ...args, './'], {
      cwd,
      env: {},
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let lines = 0
    child.stdout.on('data', (/** @type {Buffer} */ chunk) => {
      for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) lines++
    })
    child.on('error', reject)
    child.on('close', () => resolve(lines))
  })
}
