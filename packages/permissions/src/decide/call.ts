import { type AliasSettings, renameArguments } from '../alias/alias.ts'
import { type ToolAccess, isOfType } from './access.ts'
import { type AccessOf, resolve, type Resolved } from './resolve.ts'

/** A tool call to decide on. */
export interface PermissionCall {
  readonly name: string
  readonly args: Readonly<Record<string, unknown>>
  /** How the call was written. Omit it for calls that didn't come from parsed text. */
  readonly trust?: Trust
}

/** What a parser knows about how a call was written. A call in an unusual form needs approval. */
export interface Trust {
  /** Whether the call is complete. A call that was cut off never runs. */
  readonly complete?: boolean
  /** The names of the repairs that were needed to read it. */
  readonly repairs?: readonly string[]
  /** It was inside reasoning that was never closed, or that ended the reply. */
  readonly inReasoning?: true
  /** It was inside a code fence or a code span. */
  readonly fenced?: true
  /** It had no call markers: bare JSON, or a bare function call. */
  readonly markerless?: true
  /** It began inside a block that could not be parsed. */
  readonly afterMalformed?: true
  /** It follows a tool result that the model made up. */
  readonly afterResult?: true
  /** It was written in another protocol than the selected one. */
  readonly otherProtocol?: true
  /** Its arguments repeat text from an untrusted result. */
  readonly echoes?: boolean
}

/** Tools besides the canonical ones, by name, and aliases of tools. */
export type OtherTools = ReadonlyMap<string, ToolAccess>

/** A valid call, with its tool's own name and argument names. */
export interface CheckedCall {
  readonly name: string
  readonly args: Readonly<Record<string, unknown>>
  readonly access: ToolAccess
}

/** The call with its tool's own name and argument names; or what is wrong with it. */
export function checkCall(
  call: PermissionCall,
  accessOf: AccessOf,
  configured: AliasSettings = {},
): CheckedCall | string {
  if (typeof call.name !== 'string') return 'Expected a tool name.'
  const resolved = resolve(call.name, accessOf)
  if (resolved === undefined) return `Unknown tool ${JSON.stringify(call.name.slice(0, 80))}.`
  if (typeof call.args !== 'object' || call.args === null || Array.isArray(call.args))
    return `Expected the arguments of ${resolved.name} to be an object.`
  const args = toolArguments(call.args, resolved, configured)
  return typeof args === 'string' ? args : checkResolvedCall(resolved, args)
}

/** Checks a call whose name and argument names are already the tool's own: the call, or what is wrong with it. */
export function checkResolvedCall(
  { name, access }: Pick<Resolved, 'name' | 'access'>,
  args: Readonly<Record<string, unknown>>,
): CheckedCall | string {
  const missing = access.required?.find((key) => args[key] === undefined)
  if (missing !== undefined) return `${name} requires the argument ${missing}.`
  const problem = access.arguments && wrongArgument(name, args, access.arguments)
  return problem ?? { name, args, access }
}

/** The arguments under the tool's own names; or what is wrong with them. */
export function toolArguments(
  args: PermissionCall['args'],
  { name, access, alias }: Resolved,
  configured: AliasSettings,
): Record<string, unknown> | string {
  return alias?.toTool?.(args, configured) ?? renameArguments(args, name, access.otherNames)
}

function wrongArgument(
  name: string,
  args: Readonly<Record<string, unknown>>,
  types: NonNullable<ToolAccess['arguments']>,
): string | undefined {
  for (const [key, value] of Object.entries(args)) {
    const type = Object.hasOwn(types, key) ? types[key] : undefined
    if (!type) return `${name} has no argument ${JSON.stringify(key.slice(0, 80))}.`
    if (value !== undefined && !isOfType(value, type))
      return `Expected ${key} of ${name} to be ${EXPECTED[type]}.`
  }
  return undefined
}

const EXPECTED = {
  text: 'a string',
  count: 'a non-negative integer',
  flag: 'true or false',
  list: 'a list',
  any: 'anything',
}

/** An argument, if it is a string. */
export function textArgument(
  args: Readonly<Record<string, unknown>>,
  key: string | undefined,
): string | undefined {
  const value = key === undefined ? undefined : args[key]
  return typeof value === 'string' ? value : undefined
}
