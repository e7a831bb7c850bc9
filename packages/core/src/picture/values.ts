import type { Hole } from '../hole.ts'
import type { FunctionNode } from './syntax.ts'
import type { Shape } from './shapes.ts'

/** Stands for the value of what was not understood, and has been reported. */
export const FAILED: unique symbol = Symbol('failed')

/** Stands for the value of what is declared further down. */
export const LATER: unique symbol = Symbol('later')

/** Stands for what follows a `?.` that found nothing, up to the end of the chain. */
export const ENDED: unique symbol = Symbol('ended')

/** Keys that mean something else to JavaScript. */
export const REFUSED: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype'])

/** Holes that come from this package. Nothing else counts as one: a picture cannot make its own. */
const holes = new WeakSet<object>()

/** Remembers that something is a hole. */
export function known(hole: Hole): Hole {
  holes.add(hole)
  return hole
}

/** Whether a value is a hole. */
export function isHole(value: unknown): value is Hole {
  return typeof value === 'object' && value !== null && holes.has(value)
}

/** A function of this package. */
export class Native {
  readonly #run: (...args: never[]) => unknown
  readonly name: string
  /** What its arguments must be. Those that may be missing come last. */
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

  /** Functions are passed to it, and returned by it, as what they are. */
  run(args: readonly unknown[]): unknown {
    const plain = args.map((arg) => (arg instanceof Native ? arg.#run : arg))
    const result = this.#run(...(plain as never[]))
    return typeof result === 'function' ? new Native(this.name, result as () => unknown) : result
  }
}

/** A function that a picture declares. */
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

/** What names mean in a part of a text. */
export class Scope {
  readonly #values = new Map<string, unknown>()
  readonly #outer: Scope | undefined

  constructor(outer?: Scope) {
    this.#outer = outer
  }

  set(name: string, value: unknown): void {
    this.#values.set(name, value)
  }

  /** What is declared here, and not around it. */
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
