import type { Redirection } from 'unbash'
import type { Operation } from '../decide/operation.ts'
import type { PossibleFolders } from './outcome.ts'
import { isExpansion } from './pieces.ts'
import { doubtsAbout, readWord, type WordContext } from './word.ts'

/** The effects of a redirection. */
export interface Redirected {
  readonly operations: readonly Operation[]
  readonly doubts: readonly string[]
  /** The input it provides, if known. */
  readonly input?: string
  /** True if the input is part of the shell text: a here-document or here-string. */
  readonly inlineInput?: boolean
}

/** Reads a redirection. */
export function readRedirect(
  redirect: Redirection,
  folders: PossibleFolders,
  surroundings: WordContext,
): Redirected {
  const doubts: string[] =
    redirect.descriptor?.type === 'FileDescriptorVariable'
      ? ['a file descriptor in a variable']
      : []
  if (redirect.type === 'HereDoc') {
    if (!redirect.closing) doubts.push('an unterminated here-document')
    const { body, delimiter } = redirect
    if (!body.parts && !delimiter?.quoted && /(?<!\\)(?:\\\\)*[$`]/.test(body.text))
      doubts.push('an unsupported here-document')
    for (const part of delimiter?.quoted ? [] : (body.parts ?? []))
      if (isExpansion(part)) doubts.push(...doubtsAbout(part, surroundings))
      else if (part.type !== 'Literal') doubts.push('a here-document with expansions')
    return { operations: [], doubts, input: body.text, inlineInput: true }
  }
  const target = redirect.target && readWord(redirect.target, surroundings)
  if (redirect.type === 'HereString') {
    if (target?.value === undefined) doubts.push('a here-string with expansions')
    return {
      operations: [],
      doubts: [...doubts, ...(target?.doubts ?? [])],
      inlineInput: true,
      input: target?.value === undefined ? undefined : target.value,
    }
  }
  const { operator } = redirect
  const path = target?.value
  if (operator === '>&' || operator === '<&') {
    if (path !== undefined && /^(?:\d+-?|-)$/.test(path)) {
      const known = operator === '>&' && (path === '1' || path === '2')
      return {
        operations: [],
        doubts: known ? doubts : [...doubts, 'a redirection to another file descriptor'],
      }
    }
    if (operator === '<&') doubts.push('a redirection from another file descriptor')
    // Bash ends the redirection after the `-`, and the rest is another word.
    if (redirect.target?.text.startsWith('-')) doubts.push('text after `&-`')
  }
  const because = `${operator} ${redirect.target?.text ?? ''}`
  if (path === '/dev/null' || path === '/dev/stdout' || path === '/dev/stderr')
    return { operations: [], doubts }
  if (path === undefined) {
    doubts.push(`a redirection to an unknown file: ${because}`)
  } else if (/^\/dev\/(?:tcp|udp)\//.test(path)) {
    doubts.push('a network connection')
    return {
      operations: [{ kind: 'fetch', url: `http://${path.split('/').slice(3).join(':')}`, because }],
      doubts,
    }
  }
  const kinds =
    operator === '<'
      ? (['read'] as const)
      : operator === '<>'
        ? (['read', 'write'] as const)
        : (['write'] as const)
  return {
    operations: kinds.flatMap((kind) => folders.map((cwd) => ({ kind, path, cwd, because }))),
    doubts,
  }
}
