import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { root } from '../../scripts/ready.mjs'
import base from '../../vitest.config.ts'
import { withMutants } from './mutants.mjs'

const { mutants, area, files, packages } = JSON.parse(
  readFileSync(String(process.env['MUTATION_PLAN']), 'utf8'),
)
const { projects: _, ...test } = base.test ?? {}

/** Compiles the mutants into the sources. */
const plugin = {
  name: 'mutants',
  enforce: /** @type {const} */ ('pre'),
  /**
   * @param {string} source
   * @param {string} id
   */
  transform(source, id) {
    const path = relative(root, id.split('?')[0] ?? id)
    if (!packages.some((/** @type {string} */ folder) => path.startsWith(folder))) return
    if (!path.endsWith('.ts') || path.endsWith('.test.ts')) return
    const begins = (/** @type {string} */ folder) => path.startsWith(folder)
    const isSource = area.sources.some(begins) && !area.except.some(begins)
    const own = mutants.filter((/** @type {{ path: string }} */ each) => each.path === path)
    return { code: withMutants(path, source, own, isSource), map: null }
  },
}

/** The runner requires its own file to be last. */
class Sequencer {
  /** @param {import('vitest/node').TestSpecification[]} specifications */
  sort(specifications) {
    const isLast = (/** @type {{ moduleId: string }} */ { moduleId }) =>
      Number(moduleId.endsWith('last.test.ts'))
    return specifications.sort((a, b) => isLast(a) - isLast(b))
  }

  /** @param {import('vitest/node').TestSpecification[]} specifications */
  shard(specifications) {
    return specifications
  }
}

export default {
  ...base,
  root,
  plugins: [plugin],
  test: {
    ...test,
    include: [...files, 'tests/mutation/last.test.ts'],
    exclude: ['**/node_modules/**', '**/*.long.test.ts', ...area.without],
    runner: `${root}/tests/mutation/runner.mjs`,
    isolate: false,
    maxWorkers: 1,
    fileParallelism: false,
    sequence: { sequencer: Sequencer },
    testTimeout: 3_600_000,
    execArgv: ['--max-semi-space-size=32', '--stack-size=900'],
  },
}
