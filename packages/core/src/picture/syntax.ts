import type { Place } from './problems.ts'

/** The syntax of an expression. */
export type Node = Place &
  (
    | { readonly type: 'literal'; readonly value: string | number | boolean | null | undefined }
    | { readonly type: 'regex'; readonly source: string; readonly flags: string }
    | {
        readonly type: 'template'
        readonly tag: Node | undefined
        readonly chunks: readonly string[]
        readonly holes: readonly Node[]
      }
    | { readonly type: 'list'; readonly items: readonly Item[] }
    | { readonly type: 'object'; readonly members: readonly Member[] }
    | { readonly type: 'name'; readonly name: string }
    | {
        readonly type: 'member'
        readonly of: Node
        readonly name: Node
        /** `a?.b` */
        readonly optional: boolean
      }
    | { readonly type: 'call'; readonly of: Node; readonly args: readonly Node[] }
    | FunctionNode
    /**
     * A whole chain that contains `?.`. If an optional member is missing, the chain ends and its
     * value is undefined.
     */
    | { readonly type: 'optional'; readonly of: Node }
    | { readonly type: 'choice'; readonly test: Node; readonly yes: Node; readonly no: Node }
    | {
        readonly type: 'chain'
        readonly operator: '+' | '??' | '&&' | '||'
        readonly parts: readonly Node[]
      }
    | {
        readonly type: 'compare'
        readonly operator: Comparison
        readonly left: Node
        readonly right: Node
      }
    | { readonly type: 'not' | 'minus'; readonly of: Node }
  )

export type Comparison = '===' | '!==' | '<' | '>' | '<=' | '>='

export type FunctionNode = Place & {
  readonly type: 'function'
  readonly parameters: readonly Pattern[]
  /** The declarations before the `return`. */
  readonly declared: readonly Declaration[]
  readonly result: Node
}

export interface Item {
  readonly spread: boolean
  readonly value: Node
}

/** A member of an object literal. A member without a key is a spread. */
export interface Member {
  readonly key: string | undefined
  readonly keyPlace: Place
  readonly value: Node
}

/** A parameter: its name, or the names of the members that it destructures. */
export type Pattern =
  | { readonly name: string }
  | { readonly members: readonly { readonly key: string; readonly name: string }[] }

export interface Declaration {
  readonly name: string
  readonly place: Place
  readonly value: Node
}

/** Reads one expression. */
export type ReadNode<Cursor> = (cursor: Cursor) => Node

/** An import of names from a module. */
export interface Import {
  readonly from: string
  readonly place: Place
  readonly names: readonly (Place & {
    readonly name: string
    readonly as: string
    readonly isType: boolean
  })[]
}

/** The declarations, imports and exports of a file. */
export interface Program {
  readonly imports: Import[]
  readonly declared: Declaration[]
  /** The names of functions, which may be used before their declaration. */
  readonly functions: Set<string>
  /** The place and the local name of each export, by its exported name. */
  readonly exported: Map<string, Place & { readonly name: string }>
  /** The value of `export default`. */
  default: Node | undefined
}
