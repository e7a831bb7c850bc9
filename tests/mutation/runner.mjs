// Vitest's runner with an additional step: when all tests have passed, the tests that reach a
// mutant run again with that mutant switched on, the fastest first, until one fails. All files are
// loaded only once.
import { appendFileSync, readFileSync } from 'node:fs'
import { TestRunner } from 'vitest'

/**
 * @typedef {{ id: number, outcome: string, test?: string, error?: string, used?: number }} Line
 * @typedef {object} Candidate
 * @property {any} test
 * @property {string} file
 * @property {Set<number>} reaches
 * @property {number} time in milliseconds
 * @property {number} rounds of loops
 * @typedef {{ ids: number[], results: string, budget: number, always?: number }} Plan
 */

const LAST = 'tests/mutation/last.test.ts'
/** Slower tests than this many milliseconds are not repeated. */
const SLOW = 4000
const { MUTATION_PLAN = '' } = process.env
/** @type {Plan} */
const plan = JSON.parse(readFileSync(MUTATION_PLAN, 'utf8'))
const { setTimeout, clearTimeout } = globalThis

/** The switch that the mutated sources use. */
class Switch {
  active = plan.always ?? 0
  /** The number of the current test file, until all tests have run. */
  file = 0
  rounds = 0
  limit = Infinity
  /** @type {Set<number>} */
  reached = new Set()
  /**
   * Mutants reached while files load.
   *
   * @type {Set<number>}
   */
  loading = this.reached
  /**
   * Mutants reached between tests, by work that the tests left running.
   *
   * @type {Set<number>}
   */
  idle = new Set()

  /** @param {number} id */
  is(id) {
    this.reached.add(id)
    return id === this.active
  }

  tick() {
    if (++this.rounds > this.limit) throw new Error('The mutant loops endlessly.')
  }

  /**
   * A cache with separate content for each mutant and for each test file.
   *
   * @param {Map<unknown, unknown>} first
   */
  cache(first) {
    const Collection = /** @type {new () => Map<unknown, unknown>} */ (first.constructor)
    const clean = { of: 0, content: first }
    const mutated = { of: 0, content: first }
    return new Proxy(first, {
      get: (_, name) => {
        const kept = this.active === 0 ? clean : mutated
        const of = this.active || this.file
        if (kept.of !== of) Object.assign(kept, { of, content: new Collection() })
        const value = Reflect.get(kept.content, name, kept.content)
        return typeof value === 'function' ? value.bind(kept.content) : value
      },
    })
  }
}
const mutation = new Switch()
Object.assign(globalThis, { mutation })

export default class extends TestRunner {
  /** @type {Candidate[]} */
  candidates = []
  /** @type {(() => unknown)[]} */
  cleanUps = []

  /** @param {any} file */
  onCollectStart(file) {
    super.onCollectStart(file)
    mutation.reached = mutation.loading
  }

  /** @param {any[]} files */
  onCollected(files) {
    mutation.reached = mutation.idle
    mutation.file++
    for (const file of files) this.#postpone(file)
  }

  /**
   * Resources shared by tests must exist until the end.
   *
   * @param {any} suite
   */
  #postpone(suite) {
    const hooks = TestRunner.getSuiteHooks(suite)
    for (const hook of hooks.afterAll.splice(0)) this.cleanUps.push(() => hook(suite))
    for (const task of suite.tasks) if (task.type === 'suite') this.#postpone(task)
  }

  /** @param {any} test */
  async runTask(test) {
    if (plan.always) return TestRunner.getTestFn(test)()
    if (test.file.filepath.endsWith(LAST)) return this.#runMutants(test)
    const file = test.file.name
    const first = await attempt(test, test)
    if (first.error) {
      note({ id: 0, outcome: 'left out', test: nameOf(test), error: messageOf(first.error) })
      throw first.error
    }
    const reaches = new Set([...first.reached].filter((id) => plan.ids.includes(id)))
    const { time } = first
    if (time < SLOW && reaches.size > 0)
      this.candidates.push({ test, file, reaches, time, rounds: mutation.rounds })
  }

  /** @param {any} holder the running test, which holds the cleanup functions */
  async #runMutants(holder) {
    for (const id of plan.ids) {
      note({ id, outcome: 'begins' })
      note(await this.#runMutant(id, holder))
    }
    for (const cleanUp of this.cleanUps) await cleanUp()
  }

  /**
   * True if a test passes without a mutant, possibly after several attempts.
   *
   * @param {Candidate} candidate
   * @param {any} holder
   */
  async #passes({ test, time }, holder) {
    for (const wait of [0, 100, 500]) {
      await new Promise((resolve) => setTimeout(resolve, wait))
      const { error } = await attempt(test, holder, { patience: 20 * time + 3000 })
      if (!error) return true
    }
    return false
  }

  /**
   * @param {number} id
   * @param {any} holder
   * @returns {Promise<Line>}
   */
  async #runMutant(id, holder) {
    const byTime = this.candidates.slice().sort((a, b) => a.time - b.time)
    const reaching = byTime.filter(({ reaches }) => reaches.has(id))
    const survived = mutation.loading.has(id) ? 'loaded' : 'survived'
    if (reaching.length === 0) {
      return { id, outcome: survived === 'loaded' ? survived : 'not reached' }
    }
    // Tests after the first one found a filled cache, so more tests may also reach the mutant.
    const others = byTime.filter(({ reaches }) => !reaches.has(id))
    let used = 0
    let count = 0
    for (const candidate of [...reaching, ...others]) {
      const { test, time, rounds } = candidate
      if (used > plan.budget) break
      const { error, time: took } = await attempt(test, holder, {
        id,
        limit: 20 * rounds + 20_000,
        patience: 20 * time + 3000,
      })
      used += took
      count++
      if (!error) continue
      // A test that the mutant has broken permanently must not count against the next mutant.
      if (!(await this.#passes(candidate, holder)))
        this.candidates = this.candidates.filter((each) => each !== candidate)
      return { id, outcome: 'killed', test: nameOf(test), error: messageOf(error) }
    }
    return { id, outcome: survived, test: `${count} tests, ${reaching.length} reach it`, used }
  }
}

/**
 * @param {any} test
 * @param {any} holder
 * @param {{ id?: number, limit?: number, patience?: number }} [options]
 */
async function attempt(test, holder, { id = 0, limit = Infinity, patience } = {}) {
  mutation.active = id
  mutation.rounds = 0
  mutation.limit = limit
  mutation.reached = new Set()
  const began = performance.now()
  /** @type {unknown} */
  let error
  /** @type {NodeJS.Timeout | undefined} */
  let timer
  try {
    const run = TestRunner.getTestFn(test)()
    await Promise.race([
      run,
      new Promise((_, reject) => {
        if (patience) timer = setTimeout(() => reject(new Error('out of time')), patience)
      }),
    ])
  } catch (thrown) {
    error = thrown ?? new Error('undefined was thrown')
  }
  clearTimeout(timer)
  mutation.limit = Infinity
  const time = performance.now() - began
  const { reached } = mutation
  for (const each of [test, holder]) {
    const cleanUps = each.onFinished ?? []
    each.onFinished = undefined
    each.onFailed = undefined
    for (const cleanUp of cleanUps.reverse()) {
      try {
        await cleanUp(each.context)
      } catch (thrown) {
        error ??= thrown
      }
    }
  }
  mutation.active = 0
  mutation.reached = mutation.idle
  return { error, time, reached }
}

/**
 * @param {any} test
 * @returns {string}
 */
function nameOf(test) {
  const names = []
  for (let each = test; each && each !== test.file; each = each.suite) names.unshift(each.name)
  return [test.file.name, ...names].join(' > ')
}

/** @param {unknown} error */
function messageOf(error) {
  return error instanceof Error ? error.message.slice(0, 200) : JSON.stringify(error)
}

/** @param {Line} line */
function note(line) {
  appendFileSync(plan.results, `${JSON.stringify(line)}\n`)
}
