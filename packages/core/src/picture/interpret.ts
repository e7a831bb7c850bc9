import { protocolProblem } from '../check/check.ts'
import { parse } from '../index.ts'
import type { Examples, Protocol } from '../protocol.ts'
import { imported } from './imports.ts'
import { Interpreter } from './interpreter.ts'
import { measure } from './measure.ts'
import { reportUnknownNames } from './names.ts'
import { examplesOf, partsOf } from './parts.ts'
import { type PictureProblem, type Place, Problems, quoted } from './problems.ts'
import { promptOf } from './prompt.ts'
import { readProgram } from './read-program.ts'
import { isPlain } from './shapes.ts'
import type { Declaration, Node, Program } from './syntax.ts'
import { FAILED, LATER, Scope } from './values.ts'

/** The content of a protocol file. */
export interface Picture {
  /** The protocol without the parts that could not be read. Undefined if too much is missing. */
  readonly protocol?: Protocol
  readonly examples: Examples
  /** The problems, in the order of their places in the text. */
  readonly problems: readonly PictureProblem[]
}

/** The maximum length of a file, in characters. */
export const MAX_PICTURE_LENGTH = 262_144

/** Reads the text of a protocol file. `work` is the number of steps it took. */
export function interpret(text: string): { picture: Picture; work: number } {
  const problems = new Problems(text.length)
  if (text.length > MAX_PICTURE_LENGTH) {
    const from = MAX_PICTURE_LENGTH
    problems.add(`A protocol file may have at most ${from.toLocaleString('en')} characters.`, {
      from,
      to: text.length,
    })
    return { picture: { examples: {}, problems: problems.list() }, work: 0 }
  }
  const program = readProgram(text, problems)
  const interpreter = new Interpreter(problems, stepsFor(text))
  const scope = imported(program.imports, problems)
  reportUnknownNames(program, scope.names(), problems)
  declareAll(program, interpreter, scope)
  const examples = readExamples(program, interpreter, scope)
  const protocol = readProtocol(program, interpreter, scope)
  const picture = { ...(protocol && { protocol }), examples, problems: problems.list() }
  return { picture, work: problems.work }
}

/** The maximum number of steps for interpreting a text, which grows with its length. */
function stepsFor(text: string): number {
  return 50_000 + 8 * text.length
}

/** Evaluates all declarations and the default export, in JavaScript's order. */
function declareAll(program: Program, interpreter: Interpreter, scope: Scope): void {
  const { functions } = program
  const imported = new Set(scope.names())
  const seen = new Set<string>()
  const statements = statementsOf(program)
  const inOrder = [
    ...statements.filter(({ name }) => functions.has(name)),
    ...statements.filter(({ name }) => !functions.has(name)),
  ]
  for (const { name } of inOrder) scope.set(name, LATER)
  for (const { name, place, value } of inOrder) {
    if (seen.has(name) || imported.has(name))
      interpreter.fail(`${quoted(name)} is declared twice.`, place)
    seen.add(name)
    // Running out of steps has already been reported.
    const found = interpreter.left < 0 ? FAILED : valueOf(value, interpreter, scope)
    scope.set(name, found)
  }
}

/**
 * The declarations of a file, including the default export under a name that no other declaration
 * can have.
 */
function statementsOf({ declared, default: value }: Program): readonly Declaration[] {
  if (!value) return declared
  const found = declared.findIndex(({ place }) => place.from > value.from)
  const at = found < 0 ? declared.length : found
  return [...declared.slice(0, at), { name: DEFAULT, place: value, value }, ...declared.slice(at)]
}

const DEFAULT = 'default'

function valueOf(node: Node, interpreter: Interpreter, scope: Scope): unknown {
  let found: unknown = FAILED
  interpreter.problems.attempt(() => {
    found = interpreter.value(node, scope)
  })
  return found
}

function readExamples({ exported }: Program, interpreter: Interpreter, scope: Scope): Examples {
  const { problems } = interpreter
  const place = exported.get('examples')
  const value = place && scope.get(place.name)
  if (!place || value === undefined || value === FAILED) return {}
  if (!isPlain(value)) {
    problems.add('`examples` must be an object.', place)
    return {}
  }
  // Measured first, because the shapes walk through the examples.
  const weight = problems.attempt(() => measure(interpreter, value, place, Infinity))
  return weight === undefined ? {} : examplesOf(value, interpreter.places.get(value), problems)
}

/**
 * The protocol's value: the default export, another export, or a declaration that is not exported.
 */
function findProtocol(
  { default: chosen, exported, declared }: Program,
  interpreter: Interpreter,
  scope: Scope,
): unknown {
  const { problems } = interpreter
  const named = exported.get(DEFAULT)
  if (chosen || named) return scope.get(named?.name ?? DEFAULT)
  const looksLike = (name: string): boolean => {
    const value = scope.get(name)
    return isPlain(value) && (Object.hasOwn(value, 'call') || Object.hasOwn(value, 'prompt'))
  }
  const [first, ...others] = [...exported.values()].filter(({ name }) => looksLike(name))
  for (const place of others)
    problems.add(`${quoted(place.name)} is ignored: a file defines only one protocol.`, place)
  if (first) return scope.get(first.name)
  const hidden = declared.find(({ name }) => looksLike(name))
  if (!hidden) return undefined
  problems.add(
    `${quoted(hidden.name)} is not exported. Add ${quoted(`export default ${hidden.name}`)}.`,
    hidden.place,
  )
  return scope.get(hidden.name)
}

function readProtocol(
  program: Program,
  interpreter: Interpreter,
  scope: Scope,
): Protocol | undefined {
  const { problems } = interpreter
  const before = problems.list().length
  const value = findProtocol(program, interpreter, scope)
  if (!isPlain(value)) {
    if (before === 0 && problems.list().length === 0) problems.add(NO_PROTOCOL, START)
    return undefined
  }
  const places = new Map(interpreter.places.get(value))
  const drawn = withFamily(value, places, program, interpreter, scope)
  // A prompt may be exported separately, as in the files of built-in protocols. It takes precedence
  // over one from a spread object.
  const beside = places.has('prompt') ? undefined : program.exported.get('prompt')
  if (beside) places.set('prompt', beside)
  const place = places.get('prompt') ?? places.get('') ?? START
  // Measured first, because the shapes walk through the protocol.
  const weight = problems.attempt(() => measure(interpreter, drawn, place, Infinity))
  if (weight === undefined) return undefined
  const exported = beside && scope.get(beside.name)
  const whole = exported && exported !== FAILED ? { ...drawn, prompt: exported } : drawn
  const { prompt: given, ...others } = partsOf(whole, places, problems)
  const protocol = { ...others, prompt: promptOf(given, place, interpreter) }
  const problem = protocolProblem(protocol) ?? readingProblem(protocol as unknown as Protocol)
  if (problem === undefined) return protocol as unknown as Protocol
  if (problems.list().length === 0) problems.add(`This is not a protocol: ${problem}.`, place)
  return undefined
}

/**
 * A protocol with the family that is exported separately, as in the files of built-in protocols. It
 * replaces one from a spread object.
 */
function withFamily(
  value: Readonly<Record<string, unknown>>,
  places: Map<string, Place>,
  { exported }: Program,
  interpreter: Interpreter,
  scope: Scope,
): Readonly<Record<string, unknown>> {
  const beside = exported.get('family')
  const family = beside && scope.get(beside.name)
  if (!beside || family === FAILED) return value
  if (!isPlain(family)) {
    interpreter.problems.add('`family` must be an object.', beside)
    return value
  }
  for (const [key, place] of interpreter.places.get(family) ?? [])
    if (key !== '') places.set(key, place)
  const { about: _, models: __, template: ___, ...drawn } = value
  return { ...drawn, ...family }
}

/** The reason why no reader can be created for a protocol, or undefined if one can. */
function readingProblem(protocol: Protocol): string | undefined {
  try {
    parse('x', { protocols: protocol })
    return undefined
  } catch (error) {
    // Some combinations of holes have no reader. The error message identifies the combination.
    return `its pictures cannot be read (${error instanceof Error ? error.message : String(error)})`
  }
}

const START: Place = { from: 0, to: 0 }
const NO_PROTOCOL =
  'The file exports no protocol. Add `export default { id: …, call: wire`…`, … }`.'
