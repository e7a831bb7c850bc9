// Judges and runs commands inside the box. Requests and answers are lines of JSON.
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { TEMPLATE } from './box.mjs'
import { uncovered } from './covered.mjs'
import { Fixture } from './fixture.mjs'
import { grammarText } from './grammar.mjs'
import { hereDocumentText } from './here-documents.mjs'
import { Observer } from './observer.mjs'
import { eachOptionText, exactText, optionText } from './options.mjs'
import { tabled, vocabulary } from './programs.mjs'
import { hashOf, random } from './random.mjs'
import { HOME, loadPermissions, WORKSPACE } from './workspace.mjs'

const [, , dist] = process.argv
const { decide, readRules, fileSystem } = await loadPermissions(dist)

const makers = {
  grammar: grammarText,
  here: hereDocumentText,
  options: optionText,
  exact: exactText,
  each: (_, program, number) => eachOptionText(program, number),
}
const programs = new Map((await tabled(dist)).map((each) => [each.name, each]))
function programNamed(name, help) {
  const program = programs.get(name)
  if (program) program.vocabulary ??= vocabulary(program, { help })
  return program
}

const permissions = new Map()
function permissionsOf(allow, deny) {
  const key = JSON.stringify([allow, deny])
  if (permissions.size > 500) permissions.clear()
  if (!permissions.has(key))
    permissions.set(key, readRules({ allow, deny }, { source: { scope: 'cli', root: WORKSPACE } }))
  return permissions.get(key)
}

const fixtures = [new Fixture(`${TEMPLATE}/ws`, WORKSPACE), new Fixture(`${TEMPLATE}/home`, HOME)]
/** The project itself may be in a temporary folder, where it is read-only. */
const isOurs = (path) =>
  [dist, import.meta.dirname].some((own) => own === path || own.startsWith(`${path}/`))
/** Restores all files, and returns the changed ones. */
function renew() {
  for (const folder of ['/tmp', '/dev/shm'])
    for (const path of readdirSync(folder).map((name) => join(folder, name)))
      if (!isOurs(path)) rmSync(path, { recursive: true, force: true })
  return fixtures.flatMap((each) => each.renew())
}

/** The commands that were run. */
const done = new Set()
const observer = new Observer()
/** The number of times that each program had to be killed: later runs wait less for it. */
const late = new Map()

for await (const line of createInterface({ input: process.stdin })) {
  const {
    kind,
    program: name,
    seed,
    from,
    to,
    enough = Infinity,
    known = [],
    match,
    without,
    help,
  } = JSON.parse(line)
  const program = name && programNamed(name, help)
  for (const id of known) done.add(id)
  const answer = {
    kind,
    program: name,
    from,
    to,
    judged: 0,
    executed: [],
    about: 0,
    refused: {},
    findings: [],
  }
  for (let number = from; number < to && answer.about < enough; number++) {
    const made = makers[kind](
      random(seed ^ hashOf(`${kind} ${name ?? ''} ${number}`)),
      program,
      number,
    )
    if (!made) {
      answer.isDone = true
      break
    }
    if (match !== undefined && !made.text.includes(match)) continue
    if (without !== undefined && new RegExp(without).test(made.text)) continue
    const call = { name: 'Bash', args: { command: made.text } }
    const decision = await decide(call, permissionsOf(made.allow, made.deny), fileSystem)
    answer.judged++
    if (decision.verdict !== 'allow') {
      const { why } = decision.parts.find((part) => part.verdict !== 'allow') ?? decision
      // The reason without the words that differ between commands.
      const reason = why.replace(/; only an exact rule.*/s, '').replace(/`[^`]*`/g, '…')
      answer.refused[reason] = (answer.refused[reason] ?? 0) + 1
      continue
    }
    const id = hashOf(made.text) * 2 ** 20 + (hashOf(`${made.text}!`) & (2 ** 20 - 1))
    if (done.has(id)) continue
    done.add(id)
    const seconds = (late.get(name) ?? 0) > 2 ? 0.7 : 4
    const seen = await observer.observe(decision.runs, { seconds })
    if (seen.late) late.set(name, (late.get(name) ?? 0) + 1)
    const changed = renew()
    answer.executed.push(id)
    if (program && (program.isBuiltin || seen.started.some((path) => path.endsWith(`/${name}`))))
      answer.about++
    const found = uncovered(made, { ...seen, changed })
    if (found.length > 0)
      answer.findings.push({
        kind,
        program: name,
        number,
        text: made.text,
        runs: decision.runs,
        allow: made.allow,
        deny: made.deny,
        found,
      })
  }
  console.log(JSON.stringify(answer))
}
await observer.stop()
