import { searchModels, describeProtocol, namedProtocol, withProtocol } from '@toolglot/workspace'
import { pickModel } from '../../person/pick.ts'
import { chooseModel, paceOf } from '../../run/choose-model.ts'
import { showModels } from '../../show/models.ts'
import { showChosenModel } from '../../show/run/chosen-model.ts'
import { columnsOf } from '../../terminal.ts'
import type { Session } from '../session.ts'
import type { SlashCommand } from './slash-command.ts'
import { type ProtocolId, protocols } from '@toolglot/core'
import { readHistory } from '@toolglot/agent/internal'
import { placeOf } from '../../show/decision.ts'
import { table } from '../../show/text/table.ts'
import { visibleLine } from '@toolglot/workspace/internal'

export const model: SlashCommand = {
  name: 'model',
  argument: '[MODEL]',
  about: 'pick another model, or switch to one, such as ollama/qwen3:8b or script',
  async run(session, reference) {
    const { terminal, person, colors, setup } = session
    const named = reference === '' ? await picked(session) : reference
    if (named !== undefined) {
      const { protocol: _, ...flags } = session.flags
      const { context } = flags
      session.chosen = await chooseModel({ model: named, context }, setup.workspace, terminal)
      session.flags = { ...flags, model: session.chosen.reference }
      session.choseAnotherModel = true
    }
    person.show(showChosenModel(session.chosen, colors, columnsOf(terminal.output)))
  },
}

/**
 * The model that the user picks. Undefined if they keep the current one, or if there is no user to
 * ask.
 */
async function picked({ person, colors, setup, signal }: Session): Promise<string | undefined> {
  const search = await searchModels(setup.workspace)
  const { keyboard } = person
  if (keyboard) return pickModel(search, { keyboard, signal })
  person.show(showModels(search, colors))
  return undefined
}

export const protocol: SlashCommand = {
  name: 'protocol',
  argument: '[ID]',
  about: 'show how the model writes calls, or change it: an id, native, auto',
  async run(session, name) {
    const { terminal, person, setup } = session
    const named = await namedProtocol(name || undefined, setup.workspace)
    const chosen =
      name === '' ? session.chosen : withProtocol(session.chosen, named, { pace: paceOf(terminal) })
    const { name: current, label, isGuess } = describeProtocol(chosen)
    if (name !== '') {
      // A run keeps its protocol unless another one is chosen.
      const own = Object.hasOwn(protocols, current) ? protocols[current as ProtocolId] : undefined
      session.chosen = { ...chosen, protocol: chosen.protocol ?? own }
      session.flags = { ...session.flags, protocol: name }
      session.choseAnotherModel = true
    }
    const guess = isGuess ? ' (a guess; see toolglot protocols for all)' : ''
    person.show(`${session.chosen.model.name} is prompted to write calls in ${label}${guess}.\n`)
  },
}

export const permissions: SlashCommand = {
  name: 'permissions',
  about: 'show which calls run without approval, need approval, or never run',
  async run(session) {
    const { person, colors, setup } = session
    const { rules, mode = 'default', problems = [] } = setup.permissions
    const paints = { allow: colors.green, ask: colors.yellow, deny: colors.red }
    const allowed = await allowedInRun(session)
    const rows = [
      ...rules.map((rule) => ({ ...rule, place: placeOf(rule) })),
      ...allowed.map((text) => ({ verdict: 'allow' as const, text, place: '(this run)' })),
    ].map(({ verdict, text, place }) => [verdict, visibleLine(text), visibleLine(place).trim()])
    person.show(
      `Mode: ${mode}. Reading files in ${visibleLine(session.setup.fileSystem.cwd)} is allowed; anything else without a rule needs approval.\n`,
    )
    person.show(
      table(rows, (cell, row, column) =>
        column === 0
          ? paints[rules[row]?.verdict ?? 'allow'](cell)
          : column === 2
            ? colors.dim(cell)
            : cell,
      ),
    )
    for (const { text, problem } of problems)
      person.show(`${colors.red('invalid')}  ${visibleLine(`${text}: ${problem}`)}\n`)
    person.show(
      colors.dim(
        'toolglot permit TOOL ARGUMENTS explains a decision; rules are set in settings files.\n',
      ),
    )
  },
}

/** The rules that the user allowed for the rest of the run, from its records. */
async function allowedInRun({ setup, id }: Session): Promise<readonly string[]> {
  const { rules } = readHistory(await setup.journal.read(id))
  return [...new Set(rules)]
}
