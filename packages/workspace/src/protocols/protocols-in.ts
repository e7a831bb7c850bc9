import { protocols, type Examples, type Protocol } from '@toolglot/core'
import { protocolProblem } from '@toolglot/core/check'
import { UserError } from '../user-error.ts'
import { quote } from '../visible.ts'

/** A user's own protocol, and the file it is in. */
export interface OwnProtocol {
  readonly file: string
  readonly protocol: Protocol
  readonly examples: Examples
}

/** The protocols that a file exports: its default export, and every other export that is a protocol. */
export function protocolsIn(
  exported: Readonly<Record<string, unknown>>,
  file: string,
): OwnProtocol[] {
  const values = [...new Set(Object.values(exported))].map((value) => wholeOf(value, exported))
  const found = values.filter((value) => protocolProblem(value) === undefined) as Protocol[]
  if (found.length === 0) {
    const chosen = wholeOf(exported['default'], exported)
    const got = 'default' in exported ? protocolProblem(chosen) : undefined
    throw complain(file, `a protocol that ${quote(file)} exports`, got ?? exportsOf(exported))
  }
  for (const [index, { id }] of found.entries()) {
    if (Object.hasOwn(protocols, id) || id === 'auto')
      throw complain(file, 'an id of its own', `${quote(id)}, which is taken`)
    if (found.findIndex((protocol) => protocol.id === id) !== index)
      throw complain(file, 'different ids', `${quote(id)} twice`)
  }
  return found.map((protocol) => ({ file, protocol, examples: examplesOf(protocol, exported) }))
}

/** Its family and its prompt may be exported beside a protocol, as those of the built-in ones are. */
function wholeOf(value: unknown, { family, prompt }: Readonly<Record<string, unknown>>): unknown {
  if (typeof value !== 'object' || value === null) return value
  const isFamily = typeof family === 'object' && family !== null
  const beside = { ...(isFamily && family), ...(typeof prompt === 'function' && { prompt }) }
  const isWhole = Object.keys(beside).every((key) => key in value)
  return isWhole ? value : { ...beside, ...value }
}

/** Examples are exported beside a protocol, or are inside it if a file has several. */
function examplesOf(protocol: Protocol, exported: Readonly<Record<string, unknown>>): Examples {
  const own = (protocol as { examples?: unknown }).examples
  const beside = exported['examples']
  return { ...(isExamples(own) && own), ...(isExamples(beside) && beside) }
}

function isExamples(value: unknown): value is Examples {
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.values(value).every(
      (example: { wire?: unknown } | null) => typeof example?.wire === 'string',
    )
  )
}

function exportsOf(exported: Readonly<Record<string, unknown>>): string {
  const names = Object.keys(exported)
  return names.length === 0 ? 'no export at all' : `only ${names.map(quote).join(', ')}`
}

function complain(file: string, expected: string, got: string): UserError {
  return new UserError('data', {
    expected,
    got,
    advice: `correct ${quote(file)}; toolglot protocols --check tries it`,
  })
}
