import type { FileSystemView } from './file-system.ts'
import type { Permissions } from './decide.ts'

/**
 * The problem with permissions or a file system view from an untyped caller, or undefined if there
 * is none.
 */
export function wrongInput(
  permissions: Permissions,
  fileSystem: FileSystemView,
): string | undefined {
  if (!isObject(permissions) || !areRules(permissions.rules))
    return 'Expected permissions with rules: pass what readRules returns.'
  if (permissions.problems !== undefined && !isList(permissions.problems))
    return 'Expected problems to be a list: pass what readRules returns.'
  if (permissions.tools !== undefined && !isMap(permissions.tools))
    return 'Expected tools to be a Map: pass new Map([[name, access]]).'
  if (!isFileSystemView(fileSystem))
    return 'Expected a file system view: pass what nodeFileSystem from @toolglot/permissions/node returns.'
  return undefined
}

/** True if a value can be used as a Map of tools, unlike a plain object. */
export function isMap(value: unknown): boolean {
  return isObject(value) && typeof value.get === 'function'
}

/** True if a value is an object and not a list. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isList(value: unknown): boolean {
  return Array.isArray(value)
}

function areRules(value: unknown): boolean {
  if (!Array.isArray(value)) return false
  if (known.has(value)) return true
  const isSound = value.every(isRule)
  if (isSound) known.add(value)
  return isSound
}

/**
 * Lists of rules that have been checked, since they may have thousands of rules and every call
 * needs a decision.
 */
const known = new WeakSet<object>()

function isRule(value: unknown): boolean {
  return isObject(value) && typeof value.tool === 'string' && isObject(value.source)
}

function isFileSystemView(value: unknown): boolean {
  return (
    isObject(value) &&
    typeof value.cwd === 'string' &&
    typeof value.home === 'string' &&
    isList(value.roots) &&
    typeof value.follow === 'function'
  )
}
