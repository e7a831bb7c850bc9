import {
  parse,
  type PrintableCall,
  printCall,
  type Protocol,
  type ToolDefinition,
} from '@toolglot/core'
import type { ToolChoice } from '../../model/model.ts'
import type { CallFormat } from './call-format.ts'
import { checkPrefill } from './check-prefill.ts'

/** The beginning of the call that must be made, to be used as `prefill`. Undefined if none must, or it cannot be begun. */
export function openerFor(
  toolChoice: ToolChoice,
  { protocol, toolsIn }: CallFormat,
  tools: readonly ToolDefinition[],
): string | undefined {
  if (toolChoice === 'auto' || toolChoice === 'none') return undefined
  if (!protocol || toolsIn === 'request') return undefined
  return callOpener(protocol, tools, toolChoice === 'required' ? undefined : toolChoice.name)
}

/**
 * The text that a reply begins with in order to make a call, to be used as `prefill`: a call of the tool with this name, or of
 * any. It is what the protocol prints for all such calls alike. Undefined if that is nothing, or cannot be continued.
 */
export function callOpener(
  protocol: Protocol,
  tools: readonly ToolDefinition[],
  name?: string,
): string | undefined {
  const tool = tools.find((each) => each.name === name)
  const open = (details: readonly Details[]): string => {
    const calls = (name === undefined ? NAMES : [name]).flatMap((each) =>
      [...details, ...(hasRequired(tool) ? [] : [NO_ARGUMENTS])].map((more) => ({
        name: each,
        ...more,
      })),
    )
    return withoutOpenBracket(
      calls.map((call) => printCall(protocol, call)).reduce(commonStart),
      name,
    )
  }
  const any = open([...ARGUMENTS, ...IDS])
  // Some protocols print an id that the model gave before the name.
  const opener = name === undefined || any.includes(name) ? any : open(ARGUMENTS)
  const example = { name: name ?? tools[0]?.name ?? NAMES[0], ...ARGUMENTS[0]! }
  return opener.trim() !== '' && canContinue(opener, example, protocol, tools) ? opener : undefined
}

/** Names that have nothing in common. */
const NAMES = ['tool', 'Other'] as const

/** What calls of one tool may differ in. */
type Details = Omit<PrintableCall, 'name'>

const NO_ARGUMENTS: Details = { args: {} }
const ARGUMENTS: readonly Details[] = [
  { args: { text: 'value', other: 1 } },
  { args: { Number: 2 } },
]
const IDS: readonly Details[] = ['a1B2c3D4e', 'Z9y8X7w6v'].map((id) => ({
  args: { text: 'value' },
  id,
  ownId: true,
}))

function hasRequired(tool: ToolDefinition | undefined): boolean {
  const required = tool?.parameters?.['required']
  return Array.isArray(required) && required.length > 0
}

function commonStart(one: string, other: string): string {
  let at = 0
  while (at < one.length && one[at] === other[at]) at++
  return one.slice(0, at)
}

/**
 * Leaves out a bracket at the end, and spaces: models write those together with what follows. The name must stay closed,
 * because another one may begin with it.
 */
function withoutOpenBracket(text: string, name: string | undefined): string {
  const short = text.replace(/[<[{(]$/, '').replace(/ +$/, '')
  return name !== undefined && short.endsWith(name) ? text : short
}

function canContinue(
  opener: string,
  example: PrintableCall,
  protocol: Protocol,
  tools: readonly ToolDefinition[],
): boolean {
  try {
    checkPrefill(opener, { protocol, toolsIn: 'prompt' }, tools)
  } catch {
    // It is a whole call, or looks like the beginning of one in another protocol.
    return false
  }
  const { calls } = parse(printCall(protocol, example).slice(opener.length), {
    protocols: protocol,
    // Whether the arguments fit does not matter here.
    tools: [{ name: example.name }],
    prefix: opener,
  })
  return calls.length === 1 && calls[0]!.complete && calls[0]!.name === example.name
}
