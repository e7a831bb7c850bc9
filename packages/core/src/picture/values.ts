import type { Hole } from '../hole.ts'
import type { FunctionNode } from './syntax.ts'
import type { Shape } from './shapes.ts'

/** The value of an expression that could not be evaluated and has been reported. */
export const FAILED: unique symbol = Symbol('failed')

/** The value of a name that is declared further down. */
export const LATER: unique symbol = Symbol('later')

/** The value of a chain after a `?.` on a missing member. */
export const ENDED: unique symbol = Symbol('ended')

/** Keys with a special meaning in JavaScript. */
export const REFUSED: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype'])

/** The holes of this package. Only these count as holes, so a file cannot create others. */
const holes = new WeakSet<object>()

/** Registers a hole. */
export function known(hole: Hole): Hole {
  holes.add(hole)
  return hole
}

/** True if a value is a hole. */
export function isHole(value: unknown): value is Hole {
  return typeof value === 'object' && value !== null && holes.has(value)
}

/** A function of this package. */
export class Native {
  readonly #run: (...args: never[]) => unknown
  readonly name: string
  /** The shapes of the arguments. Optional ones come last. */
  readonly needed: readonly Shape[] | undefined
  readonly optional: readonly Shape[]

  constructor(
    name: string,
    run: (...args: never[]) => unknown,
    needed?: readonly Shape[],
    optional: readonly Shape[] = [],
  ) {
    this.name = name
    this.#run = run
    this.needed = needed
    this.optional = optional
  }

  /**
   * Calls the function. Native functions are unwrapped in the arguments, and wrapped in the result.
   */
  run(args: readonly unknown[]): unknown {
    const plain = args.map((arg) => (arg instanceof Native ? arg.#run : arg))
    const result = this.#run(...(plain as never[]))
    return typeof result === 'function' ? new Native(this.name, result as () => unknown) : result
  }
}

/** A function declared in a protocol file. */
export class Closure {
  readonly #node: FunctionNode
  readonly #scope: Scope

  constructor(node: FunctionNode, scope: Scope) {
    this.#node = node
    this.#scope = scope
  }

  static parts(closure: Closure): { node: FunctionNode; scope: Scope } {
    return { node: closure.#node, scope: closure.#scope }
  }
}

/** The values of the names in one part of a file. */
export class Scope {
  readonly #values = new Map<string, unknown>()
  readonly #outer: Scope | undefined

  constructor(outer?: Scope) {
    this.#outer = outer
  }

  set(name: string, value: unknown): void {
    this.#values.set(name, value)
  }

  /** The names declared in this scope, without outer scopes. */
  names(): string[] {
    return [...this.#values.keys()]
  }

  has(name: string): boolean {
    return this.#values.has(name) || (this.#outer?.has(name) ?? false)
  }

  get(name: string): unknown {
    return this.#values.has(name) ? this.#values.get(name) : this.#outer?.get(name)
  }
}
