import { protocolIn, type Speaker } from '../../read/speaker.ts'
import type { Colors } from '../../terminal.ts'
import { visibleLine } from '../visible.ts'

/** Who answers, how they write calls, and why it is them. */
export function showSpeaker(speaker: Speaker, { bold, dim, yellow }: Colors): string {
  const { model, why } = speaker
  const { name, isGuess } = protocolIn(speaker)
  const by = model.provider === undefined ? '' : dim(` (${visibleLine(model.provider)})`)
  const guess = isGuess ? yellow('  nobody knows what it writes, so it is told: --protocol ID') : ''
  return `${bold(visibleLine(model.name))}${by} ${dim(`· ${name} · ${visibleLine(why)}`)}${guess}\n`
}
