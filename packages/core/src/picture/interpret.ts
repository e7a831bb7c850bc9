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

/** What a protocol file says. */
export interface Picture {
  /** The protocol, without what was not understood. Undefined: too little of it was. */
  readonly protocol?: Protocol
  readonly examples: Examples
  /** What was not understood, and where it is in the text, in its order. */
  readonly problems: readonly PictureProblem[]
}

/** The longest text that is read, in characters. */
export const MAX_PICTURE_LENGTH = 262_144

/** What the text of a protocol file says, and how much work it was to find out. */
export function interpret(text: string): { picture: Picture; work: number } {
  const problems = new Problems(text.length)
  if (text.length > MAX_PICTURE_LENGTH) {
    const from = MAX_PICTURE_LENGTH
    problems.add(`A picture may have at most ${from.toLocaleString('en')} characters.`, {
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

/** What a text may cost: it grows with its length. */
function stepsFor(text: string): number {
  return 50_000 + 8 * text.length
}

/** Works out everything that is declared, and the default export, in the order in which JavaScript does. */
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
    // Once there are no steps left, that has been reported.
    const found = interpreter.left < 0 ? FAILED : valueOf(value, interpreter, scope)
    scope.set(name, found)
  }
}

/** What a text declares, and among that its default export, under a name that nothing else can have. */
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
    problems.add('Expected `examples` to be an object.', place)
    return {}
  }
  // First of all: the shapes walk through them.
  const weight = problems.attempt(() => measure(interpreter, value, place, Infinity))
  return weight === undefined ? {} : examplesOf(value, interpreter.places.get(value), problems)
}

/** Which value is the protocol: the default export, another export, or what is declared but not exported. */
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
    problems.add(`${quoted(place.name)} is left out: here a file draws one protocol.`, place)
  if (first) return scope.get(first.name)
  const hidden = declared.find(({ name }) => looksLike(name))
  if (!hidden) return undefined
  problems.add(
    `${quoted(hidden.name)} is not exported: ${quoted(`export default ${hidden.name}`)}.`,
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
  // As in a built-in protocol's file. What is spread does not count.
  const beside = places.has('prompt') ? undefined : program.exported.get('prompt')
  if (beside) places.set('prompt', beside)
  const place = places.get('prompt') ?? places.get('') ?? START
  // First of all: the shapes walk through it.
  const weight = problems.attempt(() => measure(interpreter, drawn, place, Infinity))
  if (weight === undefined) return undefined
  const exported = beside && scope.get(beside.name)
  const whole = exported && exported !== FAILED ? { ...drawn, prompt: exported } : drawn
  const { prompt: given, ...others } = partsOf(whole, places, problems)
  const protocol = { ...others, prompt: promptOf(given, place, interpreter) }
  const problem = protocolProblem(protocol) ?? readingProblem(protocol as unknown as Protocol)
  if (problem === undefined) return protocol as unknown as Protocol
  if (problems.list().length === 0) problems.add(`This is no protocol: ${problem}.`, place)
  return undefined
}

/** A protocol with the family that is exported beside it, as in a built-in protocol's file: it replaces one that is spread. */
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
    interpreter.problems.add('Expected `family` to be an object.', beside)
    return value
  }
  for (const [key, place] of interpreter.places.get(family) ?? [])
    if (key !== '') places.set(key, place)
  const { about: _, models: __, template: ___, ...drawn } = value
  return { ...drawn, ...family }
}

/** Why no reader can be made of a protocol. Undefined: one can. */
function readingProblem(protocol: Protocol): string | undefined {
  try {
    parse('x', { protocols: protocol })
    return undefined
  } catch (error) {
    // Holes may be combined in ways for which there is no reader: the message says which.
    return `its pictures cannot be read (${error instanceof Error ? error.message : String(error)})`
  }
}

const START: Place = { from: 0, to: 0 }
const NO_PROTOCOL = 'The file exports no protocol: `export default { id: …, call: wire`…`, … }`.'
