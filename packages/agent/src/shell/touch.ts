import type { Operation } from '../permission/operation.ts'
import { listed, type Argument } from './option.ts'
import type { Place } from './place.ts'
import { list, type Operands, type Touch, type Usage, type Words } from './program.ts'
import { hasOption } from './reach.ts'

/** The files and pages a command's words name, as far as its table tells. What a command that reaches names, it may write. */
export function touched(
  name: string,
  given: readonly Argument[],
  usage: Usage,
  place: Place,
  { reaches, piped }: { readonly reaches: boolean; readonly piped: boolean },
): Operation[] {
  const found: Operation[] = []
  const because = (value: string) => `${name} ${value}`
  const file = (kind: 'read' | 'write' | 'list', path: string, implied = usage.implied) => {
    for (const cwd of place)
      found.push({
        kind,
        path,
        cwd,
        because: because(path),
        ...(implied && { implied }),
        ...(usage.removes && kind === 'write' && { removes: true }),
      })
  }
  const touch = (as: Touch, value: string | undefined) => {
    if (value === undefined || value === '' || as === 'text' || as === 'script') return
    if (as === 'address') return page(value)
    if (as !== 'mention') return value === '-' ? undefined : file(as, value)
    for (const path of mentioned(value)) {
      if (/^[a-z]+:\/\//i.test(path)) page(path)
      else {
        file('read', path, true)
        if (reaches) file('write', path, true)
      }
    }
  }
  const page = (address: string) => {
    if (/^file:/i.test(address))
      return file('read', address.replace(/^file:(?:\/\/[^/]*)?/i, ''), false)
    const url = /^[a-z][a-z0-9+.-]*:\/\//i.test(address) ? address : `http://${address}`
    found.push({ kind: 'fetch', url, because: because(address), implied: true })
  }

  const operands = given.filter((argument) => argument.type === 'operand')
  const written = hasOption(given, usage.writesWith, usage)
  const special = usage.operands && !hasOption(given, usage.operands.unless, usage)
  operands.forEach(({ value }, index) => {
    const as = touchOf(
      usage.operands ?? { rest: 'mention' },
      index,
      operands.length,
      special ?? false,
    )
    const named = assigned(value, usage)
    if (named) touch(named.as, named.value)
    else touch(as === 'read' && written ? 'write' : as, value)
  })
  const around = usage.operands?.folder
  const named = operands.length - (usage.operands?.first && special ? 1 : 0)
  const takes = around === 'always' ? !piped : around && hasOption(given, around.with, usage)
  if (takes && named <= 0) file('read', '.')
  for (const argument of given) {
    if (argument.type !== 'option') continue
    const has = (words: Words | undefined) => listed(words, argument.name, usage)
    if (has(usage.files?.read)) touch('read', argument.value)
    else if (has(usage.files?.write)) touch('write', argument.value)
    else if (has(usage.files?.mention)) touch('mention', argument.value)
    else if (!has(usage.values) && !has(usage.texts) && usage.operands?.rest !== 'text')
      touch('mention', argument.value)
  }
  return found
}

function touchOf(operands: Operands, index: number, count: number, special: boolean): Touch {
  if (index === 0 && operands.first && special) return operands.first
  if (index === count - 1 && index > 0 && operands.last) return operands.last
  return operands.rest
}

/** `of=x`, where a table lists `of=`. */
function assigned(
  value: string | undefined,
  { files }: Usage,
): { as: Touch; value: string } | undefined {
  for (const as of ['read', 'write'] as const) {
    const entry = list(files?.[as]).find((name) => !name.startsWith('-') && value?.startsWith(name))
    if (entry) return { as, value: value!.slice(entry.length) }
  }
  return undefined
}

/** The paths a word may name: itself, and what stands before or behind `:`, `=` or `@`: `HEAD:.env`, `if=.env`, `@.env`. */
function mentioned(word: string): string[] {
  if (word.length > 1000 || /[\n\0]/.test(word)) return []
  if (/^[a-z]+:\/\//i.test(word)) return [word]
  const paths = new Set([word])
  for (const mark of ['=', ':', '@']) {
    const at = word.indexOf(mark)
    if (at >= 0) paths.add(word.slice(at + 1).replace(/^@/, ''))
    if (at > 0 && mark === ':') paths.add(word.slice(0, at))
  }
  return [...paths].filter((path) => path && path !== '-')
}
