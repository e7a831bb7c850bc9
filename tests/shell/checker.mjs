import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Fixture } from '../oracle/fixture.mjs'
import { runTexts } from './box.mjs'
import { differences, judgedFiles, judgedLists } from './compare.mjs'

const FILES = 'notes.txt .env a b true script/test src/a.ts src/b.ts out/old x}'.split(' ')

/**
 * The approver may allow commands that no rule covers, but sees the judged words, which must be the
 * ones that run.
 */
const APPROVED = { programs: undefined, deny: [] }

/** True if a decision needs approval, and shows all commands. The code of `eval` may be unknown. */
export const isApprovable = (decision) =>
  decision.verdict === 'ask' &&
  decision.runs !== undefined &&
  !judgedLists(decision).some(([name]) => name === 'eval' || name === undefined)

/**
 * Judges shell commands with a build of the permissions, runs those that are allowed or can be
 * approved, and compares the results.
 */
export class Checker {
  #folder = mkdtempSync(join(tmpdir(), 'shell-'))
  #workspace = join(this.#folder, 'ws')
  #fixture
  #decide
  #fileSystem
  #permissions = new Map()
  #readRules

  static async of(dist) {
    const load = (path) => import(pathToFileURL(join(dist, path)))
    const [{ decide }, { readRules }, { nodeFileSystem }] = await Promise.all(
      ['decide/decide.js', 'rule/read-rules.js', 'node/file-system.js'].map(load),
    )
    return new Checker(decide, readRules, nodeFileSystem)
  }

  constructor(decide, readRules, nodeFileSystem) {
    const template = join(this.#folder, 'template')
    for (const name of ['template', 'ws', 'home']) mkdirSync(join(this.#folder, name))
    for (const path of FILES) {
      mkdirSync(dirname(join(template, path)), { recursive: true })
      // A comment, so that sourcing a file runs nothing.
      writeFileSync(join(template, path), '# a\n')
    }
    this.#fixture = new Fixture(template, this.#workspace)
    this.#decide = decide
    this.#readRules = readRules
    this.#fileSystem = nodeFileSystem({ cwd: this.#workspace, home: join(this.#folder, 'home') })
  }

  close() {
    rmSync(this.#folder, { recursive: true, force: true })
  }

  judge(text, set) {
    if (!this.#permissions.has(set)) {
      const source = { scope: 'cli', root: this.#workspace }
      this.#permissions.set(set, this.#readRules({ allow: set.allow, deny: set.deny }, { source }))
    }
    const call = { name: 'Bash', args: { command: text } }
    return this.#decide(call, this.#permissions.get(set), this.#fileSystem)
  }

  /** The differences in commands that were approved. */
  async runApproved(texts, locale) {
    const given = texts.map((each) => ({ ...each, set: APPROVED }))
    const found = await this.#compare(given, locale)
    this.#fixture.renew()
    return found
  }

  /** The differences in allowed commands, each with its index: lists of words, and files. */
  async run(allowed, locale) {
    const found = await this.#compare(allowed, locale)
    const covered = new Set(allowed.flatMap(({ decision }) => judgedFiles(decision)))
    const written = this.#fixture.renew().filter((path) => !covered.has(path))
    if (written.length === 0) return found
    // The text that wrote them is unknown, unless it runs alone.
    if (allowed.length === 1) return [...found, { number: 0, why: `wrote ${written.join(' ')}` }]
    for (const [number, each] of allowed.entries())
      found.push(
        ...(await this.run([each], locale))
          .filter(({ why }) => why.startsWith('wrote'))
          .map(({ why }) => ({ number, why })),
      )
    return found
  }

  async #compare(allowed, locale) {
    const entries = allowed.flatMap(({ decision: { runs } }, number) =>
      runs === undefined ? [] : statuses(runs).map((status) => ({ number, status, text: runs })),
    )
    const recorded = await runTexts(this.#folder, entries, { locale })
    const unprinted = allowed.flatMap(({ decision }, number) =>
      decision.runs === undefined ? [{ number, why: 'allowed, but not printed' }] : [],
    )
    const changed = recorded.flatMap((lists, at) => {
      const { number } = entries[at]
      const { decision, set } = allowed[number]
      // Skips the printer's own first line.
      const own = decision.runs.startsWith('set -f\n') ? lists.slice(1) : lists
      return differences(own, judgedLists(decision), set).map((each) => ({ ...each, number }))
    })
    return [...unprinted, ...changed]
  }

  /** The difference for a single command; undefined if there is none. */
  async difference(text, set, locale) {
    const decision = await this.judge(text, set)
    const isAllowed = decision.verdict === 'allow'
    if (!isAllowed && !isApprovable(decision)) return undefined
    const texts = [{ text, set, decision }]
    const [found] = await (isAllowed ? this.run(texts, locale) : this.runApproved(texts, locale))
    return found && { ...found, runs: decision.runs, judged: judgedLists(decision) }
  }
}

/** Programs succeed. If that affects the text, it runs again with failing programs. */
const statuses = (text) => (/\|\||\b(?:if|while|until)\b|!/.test(text) ? [0, 1] : [0])
