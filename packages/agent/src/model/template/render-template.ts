import { parse } from '@huggingface/jinja'
import { ModelError } from '../model-error.ts'
import { plainLine } from '../plain-line.ts'
import { Budget, type TemplateLimits, templateLimits } from './budget.ts'
import { createEvaluator, Scope } from './evaluate.ts'
import { execute } from './execute.ts'
import { createGlobals } from './globals.ts'
import type { Node } from './node.ts'
import { rewriteTokens } from './rewrite-tokens.ts'
import { TemplateError, TemplateRefusal } from './template-error.ts'
import { tokenize } from './tokenize.ts'
import { toValue } from './value.ts'

/** The input of a template. */
export interface TemplateInput {
  /** The variables of the template: JSON data, such as `messages` and `tools`. */
  readonly variables: Readonly<Record<string, unknown>>
  /** The date to print with `strftime_now`. Default: now. */
  readonly date?: Date
  /** The limits of the template. */
  readonly limits?: Partial<TemplateLimits>
}

/**
 * Renders a chat template written in Jinja, like Python does. Throws a ModelError if the template
 * rejects its input, is invalid, or exceeds its limits.
 */
export function renderTemplate(source: string, input: TemplateInput): string {
  const { variables, date = new Date(), limits } = input
  try {
    if (source.length > MAX_SOURCE)
      throw new TemplateError(`it is longer than ${MAX_SOURCE} characters`)
    const budget = new Budget({ ...limitsFor(variables), ...limits })
    const globals = new Scope()
    for (const [name, value] of createGlobals(budget, date)) globals.set(name, value)
    for (const [name, value] of Object.entries(variables)) globals.set(name, toValue(value))
    return execute(parseTemplate(source), new Scope(globals), createEvaluator(budget), budget)
  } catch (error) {
    throw explain(error)
  }
}

/**
 * Some templates search all messages for each message, so the budget grows with the conversation.
 */
function limitsFor({ messages }: TemplateInput['variables']): TemplateLimits {
  const count = Array.isArray(messages) ? messages.length : 0
  const { steps, work, ...others } = templateLimits
  return { ...others, steps: steps + count * 10_000, work: work + count * 200_000 }
}

/** Parses a template, unless it is one of the last few that were parsed. */
function parseTemplate(source: string): Node {
  const known = parsed.get(source)
  if (known) return known
  // The parser accepts any objects with these fields, which are all that its own Token class has.
  const tokens = rewriteTokens(tokenize(source)) as unknown as Parameters<typeof parse>[0]
  const program = parse(tokens) as unknown as Node
  if (parsed.size >= MAX_PARSED) parsed.clear()
  parsed.set(source, program)
  return program
}

const parsed = new Map<string, Node>()
const MAX_PARSED = 8
const MAX_SOURCE = 512 << 10

function explain(error: unknown): ModelError {
  if (error instanceof TemplateRefusal) {
    const message = `The model's chat template rejected the conversation: ${plainLine(error.message) || 'it gave no reason'}. Change the conversation, or use another template.`
    return new ModelError('refused', message, { cause: error })
  }
  const reason =
    error instanceof RangeError
      ? 'it is nested too deeply or creates too long a text'
      : error instanceof TypeError
        ? 'it ends before a block does'
        : reasonOf(error)
  const message = `The model's chat template cannot be rendered: ${reason}. Use another template, or the server's chat endpoint.`
  return new ModelError('refused', message, { cause: error })
}

function reasonOf(error: unknown): string {
  const text = plainLine(error instanceof Error ? error.message : String(error)).replace(/\.$/, '')
  return error instanceof TemplateError ? text : `it is not valid Jinja (${text})`
}
