// Write and Edit compared with plain fs; Read at the end of a large file.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { open, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { editTool, writeTool } from '@toolglot/tools'
import { nodeFiles } from '@toolglot/tools/internal'
import { figure } from '../figure.mjs'
import { median, timed } from '../timing.mjs'

const FILES = 1000
const TURN = 50
const ROUNDS = 5

const CONTENT = `${Array.from({ length: 60 }, (_, at) => `const value${at} = compute(${at})`).join('\n')}\n`
const OLD = 'const value30 = compute(30)'
const NEW = 'const value30 = computeOtherwise(30)'

export async function measure() {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'toolglot-bench-')))
  try {
    return [await measureChanges(folder), ...(await measureLargeFile(folder))]
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * Both create and change the same files in alternating batches, so that the disk is equally busy for both.
 *
 * @param {string} folder
 */
async function measureChanges(folder) {
  /** @type {number[]} */
  const ratios = []
  let last = { ours: 0, theirs: 0 }
  for (let round = 0; round < ROUNDS; round++) {
    const root = join(folder, `round-${round}`)
    for (const name of ['ours', 'theirs', 'storage'])
      mkdirSync(join(root, name), { recursive: true })
    const ours = toolsIn(join(root, 'ours'), join(root, 'storage'))
    const theirs = plainIn(join(root, 'theirs'))
    last = { ours: 0, theirs: 0 }
    for (let file = 0; file < FILES; file += TURN) {
      last.theirs += await timed(() => turn(theirs, file))
      last.ours += await timed(() => turn(ours, file))
    }
    ratios.push(last.ours / last.theirs)
    for (const name of ['ours', 'theirs'])
      if (!(await readFile(join(root, name, 'file-7.ts'), 'utf8')).includes(NEW))
        throw new Error(`${name}: the change was not made`)
  }
  return figure({
    group: 'Files',
    name: 'Write and Edit 1 000 files, with checkpoints, against fs with fsync',
    unit: 'x',
    value: median(ratios),
    goal: { most: 3 },
    detail: `the last of ${ROUNDS} rounds: ${last.ours.toFixed(0)} ms against ${last.theirs.toFixed(0)} ms`,
  })
}

/** @typedef {{ make(name: string): Promise<unknown>, change(name: string): Promise<unknown> }} Changer */

/**
 * @param {Changer} changer
 * @param {number} first
 */
async function turn(changer, first) {
  for (let file = first; file < first + TURN; file++) {
    await changer.make(`file-${file}.ts`)
    await changer.change(`file-${file}.ts`)
  }
}

/**
 * @param {string} cwd
 * @param {string} storage
 * @returns {Changer}
 */
function toolsIn(cwd, storage) {
  const fileSystem = fileSystemIn(cwd)
  const host = { fileSystem, files: nodeFiles(fileSystem), storage: { folder: storage } }
  const context = {
    signal: new AbortController().signal,
    call: 'bench',
    run: 'bench',
    progress: () => {},
  }
  const [write, edit] = [writeTool(host), editTool(host)]
  return {
    make: async (file_path) => write.execute({ file_path, content: CONTENT }, context),
    change: async (file_path) =>
      edit.execute({ file_path, old_string: OLD, new_string: NEW }, context),
  }
}

/**
 * @param {string} cwd
 * @returns {Changer}
 */
function plainIn(cwd) {
  return {
    make: (name) => save(join(cwd, name), CONTENT),
    change: async (name) => {
      const text = await readFile(join(cwd, name), 'utf8')
      await save(join(cwd, name), text.replace(OLD, NEW))
    },
  }
}

/**
 * @param {string} path
 * @param {string} text
 */
async function save(path, text) {
  const handle = await open(path, 'w')
  await handle.writeFile(text)
  await handle.sync()
  await handle.close()
}

/**
 * A file system without links.
 *
 * @param {string} cwd
 */
export function fileSystemIn(cwd) {
  return {
    cwd,
    home: cwd,
    roots: [cwd],
    platform: /** @type {const} */ ('linux'),
    caseSensitive: true,
    follow: (/** @type {string} */ path) => [path],
  }
}

/**
 * Runs in a separate process, whose peak memory is that of reading.
 *
 * @param {string} folder
 */
async function measureLargeFile(folder) {
  const lines = await plantLargeFile(join(folder, 'large.txt'))
  const code = `
    import { readTool } from '@toolglot/tools'
    import { nodeFiles } from '@toolglot/tools/internal'
    import { writeFileSync } from 'node:fs'
    const cwd = ${JSON.stringify(folder)}
    const fileSystem = { cwd, home: cwd, roots: [cwd], platform: 'linux', caseSensitive: true, follow: (path) => [path] }
    const read = readTool({ fileSystem, files: nodeFiles(fileSystem) })
    const context = { signal: new AbortController().signal, call: 'bench', progress: () => {} }
    writeFileSync(cwd + '/small.txt', 'a\\nb\\n')
    await read.execute({ file_path: 'small.txt' }, context)
    const before = process.resourceUsage().maxRSS
    const began = performance.now()
    const result = await read.execute({ file_path: 'large.txt', offset: ${lines - 99}, limit: 100 }, context)
    const seconds = (performance.now() - began) / 1000
    const megabytes = (process.resourceUsage().maxRSS - before) / 1024
    console.log(JSON.stringify({ seconds, megabytes, total: result.total_lines, last: result.last_line }))`
  const output = execFileSync(process.execPath, ['--input-type=module', '--eval', code], {
    cwd: import.meta.dirname,
    encoding: 'utf8',
  })
  /** @type {{ seconds: number, megabytes: number, total: number, last: number }} */
  const { seconds, megabytes, total, last } = JSON.parse(output)
  if (total !== lines || last !== lines)
    throw new Error(`The number of lines is not ${lines}: ${output}`)
  const plain = await timed(() => countPlainly(join(folder, 'large.txt')))
  return [
    figure({
      group: 'Files',
      name: 'Read 100 lines at the end of 1 GB: more memory',
      unit: 'MB',
      value: megabytes,
      goal: { most: 64 },
      detail: `${lines} lines, ${seconds.toFixed(2)} s; wc -l takes ${(plain / 1000).toFixed(2)} s`,
    }),
  ]
}

/** @param {string} path */
async function countPlainly(path) {
  execFileSync('wc', ['-l', path])
}

/** @param {string} path */
async function plantLargeFile(path) {
  const handle = await open(path, 'w')
  let size = 0
  let line = 0
  while (size < 1e9) {
    const lines = []
    for (let count = 0; count < 10_000; count++)
      lines.push(`${++line}: ${'words in a log '.repeat(6)}`)
    const { bytesWritten } = await handle.write(`${lines.join('\n')}\n`)
    size += bytesWritten
  }
  await handle.close()
  return line
}
