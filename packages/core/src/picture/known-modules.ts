import { familyOf } from '../families.ts'
import { spaced } from '../print/spaced.ts'
import { cohereTools } from '../prompt/cohere.ts'
import { dsmlTools } from '../prompt/dsml.ts'
import { functionTags, NESTED } from '../prompt/function-tags.ts'
import { gemmaDeclaration } from '../prompt/gemma.ts'
import { glimmerTools } from '../prompt/glimmer.ts'
import { jsonLines } from '../prompt/json-lines.ts'
import { pythonDef } from '../prompt/python-def.ts'
import { pythonSignature } from '../prompt/python-signature.ts'
import { parametersOf, signature } from '../prompt/signature.ts'
import { toolCallPrompt } from '../prompt/tool-call.ts'
import { sortedJson } from '../prompt/sorted.ts'
import { bare, bareLines, openAiLines, openAiTool } from '../prompt/tools.ts'
import * as typescript from '../prompt/typescript.ts'
import { xmlTree } from '../prompt/xml-tree.ts'
import { promptOf } from '../prompts.ts'
import type { Protocol } from '../protocol.ts'
import { repr } from '../python/print.ts'
import { protocols } from '../registry.ts'
import { drawn, remember } from './known-holes.ts'
import { boolean, isPlain, list, members, oneOf, type Shape, text } from './shapes.ts'
import { Native } from './values.ts'

/** A module that protocol files can import: its values by name, and the names of its types. */
export interface Module {
  readonly values: ReadonlyMap<string, unknown>
  readonly types: readonly string[]
}

const TYPES = [
  ...['Example', 'Examples', 'Family', 'PrintableCall', 'Prompt', 'PromptContext', 'Protocol'],
  ...['Schema', 'ToolDefinition', 'Wire'],
]
const noTypes: readonly string[] = []
const noValues: ReadonlyMap<string, unknown> = new Map()

/** The module with this specifier, or undefined if protocol files cannot import it. */
export function moduleOf(specifier: string): Module | undefined {
  if (specifier === '@toolglot/core') return { values: byName(), types: TYPES }
  if (specifier === '@toolglot/core/draw') return { values: drawn, types: noTypes }
  const id = /^(?:@toolglot\/core\/protocols\/([\w.-]+)|\.\/([\w.-]+)\.ts)$/.exec(specifier)
  if (id) return protocolModule(id[1] ?? id[2]!)
  // Built-in protocols import these, and their sources can be pasted.
  if (specifier === '../draw.ts') return { values: drawn, types: noTypes }
  if (specifier === '../protocol.ts' || specifier === '../wire.ts')
    return { values: noValues, types: TYPES }
  return SHARED.includes(specifier) || specifier.startsWith('../prompt/')
    ? { values: helpers, types: noTypes }
    : undefined
}

/** The modules that a protocol file can import, for messages. */
export const MODULES: readonly string[] = [
  '@toolglot/core',
  '@toolglot/core/draw',
  '@toolglot/core/protocols/…',
]

const SHARED = ['../print/spaced.ts', '../python/print.ts']

const tool: Shape = (value) =>
  isPlain(value) && text(value['name']) === undefined ? undefined : 'a tool'
const tools = list(tool, 'tools')
const context: Shape = (value) =>
  isPlain(value) && tools(value['tools']) === undefined && text(value['example']) === undefined
    ? undefined
    : 'the argument of a prompt'
const anything: Shape = () => undefined
const nativeOnly: Shape = (value) => (value instanceof Native ? undefined : 'a function from here')
const words = members(
  { kind: oneOf('tool', 'function'), rule: text },
  { list: text, value: text, more: boolean },
)
const schema: Shape = (value) => (isPlain(value) ? undefined : 'a schema')

/** The shared helpers of built-in prompts, with the shapes of their arguments. */
const helpers: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['NESTED', NESTED],
  helper('bare', bare, tool),
  helper('bareLines', bareLines, tools),
  helper('cohereTools', cohereTools, context),
  helper('dsmlTools', dsmlTools, context),
  helper('functionTags', functionTags, text, words),
  helper('functionType', typescript.functionType, tool, nativeOnly, [text]),
  helper('gemmaDeclaration', gemmaDeclaration, tool, text),
  helper('glimmerTools', glimmerTools, context),
  helper('indentedMembers', typescript.indentedMembers, schema, text),
  helper('jsonLines', jsonLines, context),
  helper('openAiLines', openAiLines, tools),
  helper('openAiTool', openAiTool, tool),
  helper('parametersOf', parametersOf, tool),
  helper('plainMembers', typescript.plainMembers, oneOf(',', '')),
  helper('pythonDef', pythonDef, tool),
  helper('pythonSignature', pythonSignature, tool),
  helper('remarkedMembers', typescript.remarkedMembers, schema, text),
  helper('repr', repr, anything),
  helper('signature', signature, tool),
  helper('sortedJson', sortedJson, anything),
  helper('spaced', spaced, anything),
  helper('toolCallPrompt', toolCallPrompt, context),
  helper('xmlTree', xmlTree, tool),
])

function helper(
  name: string,
  run: (...args: never[]) => unknown,
  ...shapes: readonly (Shape | [optional: Shape])[]
): [name: string, value: Native] {
  const needed = shapes.filter((shape) => !Array.isArray(shape)) as Shape[]
  const optional = shapes.filter((shape) => Array.isArray(shape)).flat() as Shape[]
  return [name, new Native(name, run, needed, optional)]
}

function byName(): ReadonlyMap<string, unknown> {
  const entries = Object.values(protocols).map((each) => [each.id, builtIn(each)])
  return new Map([['protocols', Object.fromEntries(entries)]])
}

function protocolModule(id: string): Module | undefined {
  if (!Object.hasOwn(protocols, id)) return undefined
  const protocol = protocols[id]!
  const values = new Map<string, unknown>([
    [nameOf(id), builtIn(protocol)],
    ['family', familyOf(protocol)],
    ['prompt', nativePrompt(protocol)],
  ])
  return { values, types: noTypes }
}

/**
 * A built-in protocol for use in protocol files: with its family, and with its prompt as a callable
 * function.
 */
function builtIn(protocol: Protocol): Record<string, unknown> {
  for (const part of Object.values(protocol)) remember(part)
  return { ...protocol, ...familyOf(protocol), prompt: nativePrompt(protocol) }
}

function nativePrompt(protocol: Protocol): Native {
  return new Native('prompt', promptOf(protocol)!, [context])
}

/** The name of a protocol's export: `deepseekV31` for `deepseek-v3.1`. */
function nameOf(id: string): string {
  if (id === 'json') return 'jsonPlain'
  return id.replaceAll('.', '').replace(/-([a-z\d])/g, (_, letter: string) => letter.toUpperCase())
}
