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

/** Whether a reply that begins in this way makes a call. */
export function beginsCall(prefill: string, { parserOptions }: CallFormat): boolean {
  const { segments } = parse(prefill, { ...parserOptions, finish: 'length' })
  return segments.some(({ type }) => type === 'call' || type === 'malformed')
}

/** Throws if a reply that begins in this way could not be read: it is in another protocol, or its call is already complete. */
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
  // The reply goes on: only events that no continuation can change count.
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

/** The length of the part of a prefill that every protocol tries, in characters. */
const LOOKED_AT = 2000

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
 * The beginning of a reply with a call of the named tool, or of any tool, to be used as `prefill`. It is the common beginning
 * of such calls as the protocol prints them. Undefined if there is none, or if it cannot be continued.
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

/** The details in which calls of one tool differ. */
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
 * Leaves out a bracket at the end, and spaces, which models write together with the next characters. The name must stay closed,
 * because a longer one may begin with it.
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
