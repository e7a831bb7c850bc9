import type { Schema } from '@toolglot/core'
import { canonicalJson } from '@toolglot/permissions/internal'
import {
  type Application,
  applyAlone,
  applySchema,
  type Outcome,
  type Step,
  type Work,
} from './apply-schema.ts'
import { isObject } from './json-schema.ts'
import { compilePattern, type Pattern } from './pattern.ts'
import { SchemaDocument, UnusableSchema } from './schema-document.ts'

/** A problem with a value. */
export interface ValidationIssue {
  readonly path: readonly string[]
  readonly message: string
}

/** The problems of a value, and the work required to find them. */
export interface Validation {
  readonly issues: readonly ValidationIssue[]
  readonly steps: number
}

/**
 * Validates a value against a JSON Schema of draft 6 to 2020-12, with OpenAPI's `nullable`.
 * `format` is not checked.
 *
 * A schema may come from an untrusted source, so the work is limited: each part of the schema is
 * applied to each part of the value only once, and all work is counted. Throws an UnusableSchema if
 * a schema refers to itself for the same value, or takes more than `maxSteps`.
 */
export function validate(
  root: Schema,
  value: unknown,
  maxSteps: number = stepsFor(value),
): Validation {
  const validator = new Validator(root, maxSteps)
  const outcome = validator.run([root, value])
  return { issues: issuesOf(outcome), steps: validator.steps }
}

const BASE_STEPS = 20_000
const STEPS_PER_PART = 20

/** The maximum number of steps, which is higher for a large value. */
function stepsFor(value: unknown): number {
  const parts = new Set([value])
  let count = 0
  for (const part of parts)
    if (typeof part === 'object' && part !== null)
      for (const inner of Object.values(part)) {
        count++
        if (typeof inner === 'object') parts.add(inner)
      }
  return BASE_STEPS + STEPS_PER_PART * count
}

const VALID: Outcome = { failures: [], evaluated: new Set() }
const INVALID: Outcome = { failures: ['is not allowed'], evaluated: new Set() }

/** The state of one validation. */
class Validator implements Work {
  steps = 0
  readonly document: SchemaDocument
  readonly #maxSteps: number
  /** Outcomes by schema and value. Undefined while in progress. */
  readonly #outcomes = new Map<unknown, Map<unknown, Outcome | undefined>>()
  readonly #patterns = new Map<string, Pattern>()
  readonly #texts = new Map<unknown, string>()

  constructor(root: Schema, maxSteps: number) {
    this.#maxSteps = maxSteps
    let document = documents.get(root)
    if (!document) documents.set(root, (document = new SchemaDocument(root)))
    this.document = document
  }

  /** Applies a schema without recursion: depth uses memory but no stack. */
  run(first: Application): Outcome {
    const waiting: Step[] = []
    let begun = this.#begin(first)
    for (;;) {
      if ('next' in begun) waiting.push(begun)
      const step = waiting.at(-1)?.next(begun as Outcome)
      if (!step) return begun as Outcome
      if (step.done) waiting.pop()
      begun = step.done ? step.value : this.#begin(step.value)
    }
  }

  /** Returns the outcome if it is known, or else starts the work. */
  #begin([schema, value]: Application): Step | Outcome {
    this.spend(1)
    if (!isObject(schema)) return schema === false ? INVALID : VALID
    if (value === null && schema['nullable'] === true) return VALID
    let known = this.#outcomes.get(schema)
    if (!known) this.#outcomes.set(schema, (known = new Map()))
    const outcome = known.get(value)
    if (outcome) return outcome
    if (known.has(value)) throw new UnusableSchema('refers to itself endlessly. Simplify it')
    const alone = applyAlone(schema, value, this)
    known.set(value, alone)
    if (alone) return alone
    return applySchema(schema, value, this)
  }

  remember(schema: unknown, value: unknown, outcome: Outcome): void {
    this.#outcomes.get(schema)!.set(value, outcome)
  }

  spend = (steps: number): void => {
    this.steps += steps
    if (this.steps > this.#maxSteps)
      throw new UnusableSchema(
        `needs too much work to check (more than ${this.#maxSteps} steps). Simplify it`,
      )
  }

  textOf(value: unknown): string {
    let text = this.#texts.get(value)
    if (text === undefined) {
      text = canonicalJson(value)
      this.spend(1 + (text.length >> 6))
      this.#texts.set(value, text)
    }
    return text
  }

  matches(source: string, text: string): boolean {
    let pattern = this.#patterns.get(source)
    if (!pattern) {
      this.#patterns.set(source, (pattern = compilePattern(source)))
      this.spend(pattern.size)
    }
    return pattern.test(text, this.spend)
  }
}

const documents = new WeakMap<Schema, SchemaDocument>()

const MAX_ISSUES = 100
/** Outcomes are shared, so visiting all of them could take forever. */
const MAX_VISITS = 1000

interface Place {
  readonly key: string
  readonly within: Place | undefined
}

function issuesOf(outcome: Outcome): readonly ValidationIssue[] {
  const issues: ValidationIssue[] = []
  const pending: (readonly [Outcome | string, Place | undefined])[] = [[outcome, undefined]]
  for (let visits = 0; visits < MAX_VISITS && issues.length < MAX_ISSUES; visits++) {
    const last = pending.pop()
    if (!last) break
    const [found, place] = last
    if (typeof found === 'string') issues.push({ path: pathOf(place), message: found })
    else
      for (const failure of found.failures.slice(0, MAX_ISSUES).reverse()) {
        if (typeof failure === 'string') pending.push([failure, place])
        else {
          const [inner, key] = failure
          pending.push([inner, key === undefined ? place : { key, within: place }])
        }
      }
  }
  // The cause may be too deep to find.
  const isFound = issues.length > 0 || outcome.failures.length === 0
  return isFound ? issues : [{ path: [], message: 'must match the schema' }]
}

function pathOf(place: Place | undefined): readonly string[] {
  const path: string[] = []
  for (let at = place; at; at = at.within) path.push(at.key)
  return path.reverse()
}
