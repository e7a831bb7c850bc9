import type { Call, RepairDetail } from '@toolglot/core'
import type { Colors } from '../../terminal.ts'
import { showArguments } from './arguments.ts'
import { block } from '../text/block.ts'
import { visibleLine } from '@toolglot/workspace/internal'

/** A call for people: its name, its arguments, and how far to trust it. */
export function showCall(call: Call, colors: Colors): string {
  const name = colors.bold(visibleLine(call.name))
  const state = call.complete ? colors.green('complete') : colors.red('cut')
  const origin = colors.dim(visibleLine(`${call.protocol}, ${call.id}`))

  return block('call', colors.cyan, [
    `${name}  ${state}  ${origin}`,
    ...(call.reasoning ? [colors.dim(`because: ${visibleLine(call.reasoning)}`)] : []),
    ...showArguments(call.args, colors),
    ...cautionsFor(call).map((caution) => colors.yellow(`! ${caution}`)),
    ...(call.details ?? []).slice(0, MAX_SHOWN).map((detail) => colors.dim(showDetail(detail))),
  ])
}

/** How many details of a call are shown. */
const MAX_SHOWN = 20

/** Where a repair acted: `trailing-comma at 51: "," became ""`. */
function showDetail({ name, span, was, became }: RepairDetail): string {
  const [before, after] = [was, became].map((text) => visibleLine(JSON.stringify(text)))
  const [from] = span
  if (was === became) return `  ${name} at ${from}: ${before}`
  return `  ${name} at ${from}: ${was === '' ? `${after} added` : `${before} became ${after}`}`
}

/** Why a call deserves a second look. */
export function cautionsFor(call: Call): string[] {
  const found = [
    !call.complete && 'the reply was cut off in the middle of this call: not safe to run',
    call.repairs.length > 0 && `repaired: ${call.repairs.join(', ')}`,
    call.inReasoning && 'inside reasoning, with nothing visible after it',
    call.fenced && 'inside a code fence',
    call.markerless && 'no call markers: this JSON may not be an intended call',
    call.afterMalformed && 'started inside a block that could not be read',
    call.afterResult && 'comes after a result that the model made up',
    call.otherProtocol && "not written in the model's protocol",
  ]
  return found.filter((caution) => typeof caution === 'string')
}
