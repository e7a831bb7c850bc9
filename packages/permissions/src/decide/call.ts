import { type AliasSettings, renameArguments, type Alias, aliases } from '../alias/aliases.ts'
import { type ToolAccess, isOfType, canonicalTools } from './canonical-tools.ts'

/** A tool call to decide on. */
export interface PermissionCall {
  readonly name: string
  readonly args: Readonly<Record<string, unknown>>
  /** The form of the call. Omit it for calls that were not parsed from text. */
  readonly trust?: Trust
}

/** A parser's facts about the form of a call. A call in an unusual form needs approval. */
export interface Trust {
  /** False for a call that was cut off, which never runs. */
  readonly complete?: boolean
  /** The names of the repairs that were needed to read it. */
  readonly repairs?: readonly string[]
  /** The call was inside reasoning that never closed or that ended the reply. */
  readonly inReasoning?: true
  /** The call was inside a code fence or a code span. */
  readonly fenced?: true
  /** The call had no call markers: bare JSON, or a bare function call. */
  readonly markerless?: true
  /** The call began inside a block that could not be parsed. */
  readonly afterMalformed?: true
  /** The call follows a tool result that the model made up. */
  readonly afterResult?: true
  /** The call was not in the selected protocol. */
  readonly otherProtocol?: true
  /** True if the call's arguments repeat text from an untrusted result. */
  readonly echoes?: boolean
}

/** Tools in addition to the canonical ones, by name, and aliases of tools. */
export type OtherTools = ReadonlyMap<string, ToolAccess>

/** A valid call, with its tool's own name and argument names. */
export interface CheckedCall {
  readonly name: string
  readonly args: Readonly<Record<string, unknown>>
  readonly access: ToolAccess
}

/** The call with its tool's own name and argument names, or a string that describes the problem. */
export function checkCall(
  call: PermissionCall,
  accessOf: AccessOf,
  configured: AliasSettings = {},
): CheckedCall | string {
  if (typeof call.name !== 'string') return 'The call has no tool name.'
  const resolved = resolve(call.name, accessOf)
  if (resolved === undefined) return `Unknown tool ${JSON.stringify(call.name.slice(0, 80))}.`
  if (typeof call.args !== 'object' || call.args === null || Array.isArray(call.args))
    return `The arguments of ${resolved.name} must be an object.`
  const args = toolArguments(call.args, resolved, configured)
  return typeof args === 'string' ? args : checkResolvedCall(resolved, args)
}

/**
 * Checks a call that already uses the tool's own name and argument names. Returns the call, or a
 * string that describes the problem.
 */
export function checkResolvedCall(
  { name, access }: Pick<Resolved, 'name' | 'access'>,
  args: Readonly<Record<string, unknown>>,
): CheckedCall | string {
  const missing = access.required?.find((key) => args[key] === undefined)
  if (missing !== undefined) return `${name} requires the argument ${missing}.`
  const problem = access.arguments && wrongArgument(name, args, access.arguments)
  return problem ?? { name, args, access }
}

/** The arguments under the tool's own names, or a string that describes the problem. */
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
      return `${key} of ${name} must be ${EXPECTED[type]}.`
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

/** The tool that a name refers to. */
export interface Resolved {
  /** The tool's own name, which rules and decisions use. */
  readonly name: string
  readonly access: ToolAccess
  /** The alias by which the tool was called. */
  readonly alias?: Alias
}

/** Looks up a tool that isn't canonical, by any of its names. */
type AccessOf = (name: string) => ToolAccess | undefined

/**
 * The tool that a name refers to. All names are resolved here. Names must match exactly. A custom tool cannot replace a
 * canonical tool, but takes precedence over an alias of one.
 */
export function resolve(name: string, accessOf: AccessOf): Resolved | undefined {
  const canonical = canonicalTools.get(name)
  if (canonical) return { name, access: canonical }
  const own = accessOf(name)
  if (own) return own.alias ? aliased(own.alias, accessOf) : { name, access: own }
  if (isServerTool(name)) return { name, access: {} }
  const alias = aliases.get(name)
  if (alias) return aliased(alias, accessOf)
  return name.startsWith(PROVIDER) ? resolve(name.slice(PROVIDER.length), accessOf) : undefined
}

/** Some models write `functions.Bash`. */
const PROVIDER = 'functions.'

function aliased(alias: Alias, accessOf: AccessOf): Resolved {
  const { tool: name } = alias
  return { name, access: canonicalTools.get(name) ?? accessOf(name) ?? {}, alias }
}

/** `mcp__server__tool` */
export function isServerTool(name: string): boolean {
  return /^mcp__[A-Za-z0-9_-]+__[A-Za-z0-9_.-]+$/.test(name)
}

/**
 * True for a valid server name. With `__` in it, the end of the name would be ambiguous in
 * `mcp__server__tool`.
 */
export function isServerName(name: string): boolean {
  return name.length <= 40 && /^[A-Za-z0-9-]+(?:_[A-Za-z0-9-]+)*$/.test(name)
}

/**
 * The reason why the arguments are ambiguous, so that the call doesn't run, or undefined if they
 * are clear.
 */
export function ambiguity(trust: Trust | undefined): string | undefined {
  const found = trust?.repairs?.find((repair) => AMBIGUOUS.has(repair))
  return (
    found && `The arguments are ambiguous (${found}). Write each of them once, with an exact value.`
  )
}

/** A duplicate key, or a number that can't be represented exactly. */
const AMBIGUOUS = new Set(['duplicate-key', 'number-out-of-range'])

/**
 * The reason to suspect that the model didn't intend this call as parsed, or undefined if there is
 * none.
 */
export function cautionAbout(trust: Trust | undefined): string | undefined {
  if (!trust) return undefined
  const repairs = (trust.repairs ?? []).filter((repair) => !HARMLESS.has(repair))
  if (repairs.length > 0) return `it was repaired (${repairs.join(', ')})`
  for (const [fact, why] of FACTS) if (trust[fact]) return why
  return undefined
}

/**
 * Repairs after which a call can still be trusted: only the end of the call was missing after the
 * model had stopped, or a value was converted to the schema's type.
 */
const HARMLESS = new Set(['missing-closer', 'coerced'])

/**
 * True if the call was not written in the requested form. If rewritten properly, it needs no
 * caution.
 */
export function isWrittenOtherwise({
  otherProtocol,
  markerless,
  fenced,
  echoes,
}: Pick<Trust, 'otherProtocol' | 'markerless' | 'fenced' | 'echoes'>): boolean {
  return !echoes && (otherProtocol ?? markerless ?? fenced ?? false)
}

const FACTS: readonly [keyof Trust, string][] = [
  // Applies in any form.
  ['echoes', 'it repeats text from an untrusted result'],
  // Fences and missing marks follow from another protocol.
  ['otherProtocol', "it was not written in the model's protocol"],
  ['inReasoning', "it was inside the model's reasoning"],
  ['fenced', 'it was inside a code fence'],
  ['markerless', 'it had no call markers'],
  ['afterMalformed', 'it began inside a block that could not be parsed'],
  ['afterResult', 'it followed a tool result that the model made up'],
]
