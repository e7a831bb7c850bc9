import {
  createParser,
  explain,
  parse,
  type PrintableCall,
  printCall,
  type Protocol,
  type ToolDefinition,
} from '@toolglot/core'
import type { ToolChoice } from '../../model/model.ts'
import type { CallFormat } from './call-format.ts'

/** True if a reply that starts with this text makes a call. */
export function beginsCall(prefill: string, { parserOptions }: CallFormat): boolean {
  const { segments } = parse(prefill, { ...parserOptions, finish: 'length' })
  return segments.some(({ type }) => type === 'call' || type === 'malformed')
}

/**
 * Throws if a reply that starts with this text could not be read, because it is in another protocol
 * or already contains a complete call.
 */
export function checkPrefill(
  prefill: string | undefined,
  { protocol, toolsIn }: Pick<CallFormat, 'protocol' | 'toolsIn'>,
  tools: readonly ToolDefinition[],
): void {
  if (prefill === undefined || prefill === '') return
  if (toolsIn === 'request' && tools.length > 0)
    throw new TypeError(
      "prefill cannot be used if the server describes the tools, because it begins the replies itself. Leave it out, or describe the tools in the prompt (toolsIn: 'prompt').",
    )
  if (!protocol) return
  // The reply continues, so ignore events that a continuation could change.
  for (const event of createParser({ protocols: protocol }).feed(prefill)) {
    if (event.type === 'call-end')
      throw new TypeError(
        'prefill is a whole call, not the beginning of a reply. Run it with `cycle` instead.',
      )
    if (event.type === 'malformed')
      throw new TypeError(`prefill begins a malformed call in ${protocol.id}: ${event.hint}`)
  }
  const [own] = explain(prefill, { protocols: protocol })
  const [other] =
    own!.opened > 0 ? [] : explain(prefill.slice(0, LOOKED_AT)).filter(({ opened }) => opened > 0)
  if (other)
    throw new TypeError(
      `prefill begins a call in ${other.protocol}, but the protocol is ${protocol.id}: ${JSON.stringify(prefill.slice(0, 60))}.`,
    )
}

/** The length of the part of a prefill that is tried in every protocol, in characters. */
const LOOKED_AT = 2000

/**
 * The beginning of a required call, for use as `prefill`. Undefined if no call is required or it
 * cannot be started.
 */
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
 * The beginning of a reply that calls the named tool, or any tool, for use as `prefill`: the common
 * beginning of such calls in the protocol. Undefined if they have no common beginning, or if it
 * cannot be continued.
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
  // Some protocols print the call's id before the name.
  const opener = name === undefined || any.includes(name) ? any : open(ARGUMENTS)
  const example = { name: name ?? tools[0]?.name ?? NAMES[0], ...ARGUMENTS[0]! }
  return opener.trim() !== '' && canContinue(opener, example, protocol, tools) ? opener : undefined
}

/** Names without a common beginning. */
const NAMES = ['tool', 'Other'] as const

/** The details that vary between calls of the same tool. */
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
 * Removes spaces and a bracket at the end, because models write these together with the next
 * characters. The name must stay complete, because a longer name may start with it.
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
    // The text is a whole call, or looks like the beginning of a call in another protocol.
    return false
  }
  const { calls } = parse(printCall(protocol, example).slice(opener.length), {
    protocols: protocol,
    // The arguments are not checked against the schema here.
    tools: [{ name: example.name }],
    prefix: opener,
  })
  return calls.length === 1 && calls[0]!.complete && calls[0]!.name === example.name
}
