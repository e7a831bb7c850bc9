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
    return 'permissions must have rules. Pass the result of readRules.'
  if (permissions.problems !== undefined && !isList(permissions.problems))
    return 'permissions.problems must be a list. Pass the result of readRules.'
  if (permissions.tools !== undefined && !isMap(permissions.tools))
    return 'permissions.tools must be a Map. Pass new Map([[name, access]]).'
  if (!isFileSystemView(fileSystem))
    return 'The file system view is missing or invalid. Pass the result of nodeFileSystem from @toolglot/permissions/node.'
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
