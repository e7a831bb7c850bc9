import { type ProtocolId, protocols } from '@toolglot/core'
import { describeProtocol, namedProtocol, withProtocol } from '@toolglot/workspace'
import { paceOf } from '../../run/choose-model.ts'
import type { SlashCommand } from './slash-command.ts'

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
      // A run keeps the protocol that it has, unless one is named.
      const own = Object.hasOwn(protocols, current) ? protocols[current as ProtocolId] : undefined
      session.chosen = { ...chosen, protocol: chosen.protocol ?? own }
      session.flags = { ...session.flags, protocol: name }
      session.choseAnotherModel = true
    }
    const guess = isGuess ? ' (a guess; see toolglot protocols for all)' : ''
    person.show(`${session.chosen.model.name} is asked to write calls in ${label}${guess}.\n`)
  },
}
