// Judges and runs texts inside the box. Requests and answers are lines of JSON.
import { spawnSync } from 'node:child_process'
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'
import { grammarText } from './grammar.mjs'
import { hereDocumentText } from './here-documents.mjs'
import { optionText } from './options.mjs'
import { programsHere } from './programs.mjs'
import { hashOf, random } from './random.mjs'
import { observe } from './trace.mjs'
import { uncovered } from './covered.mjs'
import { HOME, WORKSPACE } from './workspace.mjs'

const [, , dist, template] = process.argv
const load = (path) => import(pathToFileURL(join(dist, path)))
const { decide } = await load('decide/decide.js')
const { readRules } = await load('rule/read-rules.js')
const { nodeFileSystem } = await load('node/file-system.js')
const fileSystem = nodeFileSystem({ cwd: WORKSPACE, home: HOME })

let programs
const makers = {
  grammar: (choose) => grammarText(choose),
  here: (choose) => hereDocumentText(choose),
  options: (choose, number) => optionText(choose, programs, number),
}
const permissions = new Map()
function permissionsOf(allow, deny) {
  const key = JSON.stringify([allow, deny])
  if (!permissions.has(key))
    permissions.set(key, readRules({ allow, deny }, { source: { scope: 'cli', root: WORKSPACE } }))
  return permissions.get(key)
}

/** The texts that were run. */
const done = new Set()
let dirty = true
function reset() {
  if (!dirty) return
  for (const folder of [WORKSPACE, HOME])
    for (const name of readdirSync(folder))
      rmSync(join(folder, name), { recursive: true, force: true })
  spawnSync('cp', ['-a', `${template}/ws/.`, WORKSPACE])
  spawnSync('cp', ['-a', `${template}/home/.`, HOME])
  dirty = false
}

for await (const line of createInterface({ input: process.stdin })) {
  const { kind, seed, from, to, full = [], known = [], match, help } = JSON.parse(line)
  programs ??= kind === 'options' ? await programsHere(dist, { help }) : undefined
  if (programs && from === to) {
    console.log(JSON.stringify({ programs }))
    continue
  }
  for (const id of known) done.add(id)
  const answer = { kind, from, to, judged: 0, executed: [], byProgram: {}, findings: [] }
  for (let number = from; number < to; number++) {
    const made = makers[kind](random(seed ^ hashOf(`${kind} ${number}`)), number)
    if (match !== undefined && !made.text.includes(match)) continue
    reset()
    const call = { name: 'Bash', args: { command: made.text } }
    const decision = await decide(call, permissionsOf(made.allow, made.deny), fileSystem)
    answer.judged++
    const id = hashOf(made.text) * 2 ** 20 + (hashOf(`${made.text}!`) & (2 ** 20 - 1))
    if (decision.verdict !== 'allow' || done.has(id) || full.includes(made.about)) continue
    done.add(id)
    const seen = observe(decision.expanded ?? made.text)
    answer.executed.push(id)
    if (made.about) answer.byProgram[made.about] = (answer.byProgram[made.about] ?? 0) + 1
    dirty = seen.written.some((path) => path.startsWith(WORKSPACE) || path.startsWith(HOME))
    const found = uncovered(made, seen)
    if (found.length > 0)
      answer.findings.push({
        kind,
        number,
        text: made.text,
        expanded: decision.expanded,
        allow: made.allow,
        deny: made.deny,
        found,
      })
  }
  console.log(JSON.stringify(answer))
}
