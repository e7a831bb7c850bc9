import type { Prompt, PromptContext, ToolDefinition } from '../protocol.ts'
import { promptContext } from './apply.ts'
import { applyNative, argumentProblem } from './call.ts'
import { Interpreter } from './interpreter.ts'
import { type Place, Problems } from './problems.ts'
import { Closure, FAILED, Native } from './values.ts'

/** The prompt of a custom protocol. It is tried once to report its problems. */
export function promptOf(given: unknown, place: Place, interpreter: Interpreter): Prompt {
  const { problems } = interpreter
  if (typeof given === 'string') {
    problems.add('`prompt` must be a function: `({ tools, example }) => `…``.', place)
    return () => given
  }
  if (!(given instanceof Closure || given instanceof Native)) {
    if (given !== undefined) problems.add('`prompt` must be a function.', place)
    return () => {
      throw new Error('The prompt could not be read.')
    }
  }
  run(given, SAMPLE, place, interpreter)
  return (context) => {
    const found = new Problems(Infinity)
    const text = run(given, context, place, new Interpreter(found, MAX_STEPS))
    if (text === undefined)
      throw new Error(found.list()[0]?.message ?? 'The prompt is not a string.')
    return text
  }
}

function run(
  prompt: Closure | Native,
  context: PromptContext,
  place: Place,
  interpreter: Interpreter,
): string | undefined {
  const { problems } = interpreter
  const { tools, example } = context
  const text = problems.attempt(() => {
    const given = promptContext(tools, example)
    if (prompt instanceof Closure) return interpreter.run(prompt, [given], place)
    const problem = argumentProblem(prompt, [given])
    if (problem) return interpreter.fail(problem.message, place)
    return applyNative(interpreter, () => prompt.run([context]), place)
  })
  if (typeof text === 'string') return text
  if (text !== undefined && text !== FAILED) problems.add('The prompt must be a string.', place)
  return undefined
}

const MAX_STEPS = 2_000_000

const TOOL: ToolDefinition = {
  name: 'get_weather',
  description: 'The weather in a city',
  parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
}
const SAMPLE: PromptContext = { tools: [TOOL], example: 'get_weather' }
