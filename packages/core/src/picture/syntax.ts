import type { Place } from './problems.ts'

/** An expression, as it is written. */
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
    /** A whole chain with `?.` in it: where that finds nothing, the chain ends and is undefined. */
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
  /** What it declares before it returns. */
  readonly declared: readonly Declaration[]
  readonly result: Node
}

export interface Item {
  readonly spread: boolean
  readonly value: Node
}

/** A member of an object; one without a key is a spread. */
export interface Member {
  readonly key: string | undefined
  readonly keyPlace: Place
  readonly value: Node
}

/** What a parameter is called, or which members of it are called what. */
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

/** What a text declares, imports and exports. */
export interface Program {
  readonly imports: Import[]
  readonly declared: Declaration[]
  /** The names of functions: they may be used before they are declared. */
  readonly functions: Set<string>
  /** Where each export is, and its name in the text, by the name that others see. */
  readonly exported: Map<string, Place & { readonly name: string }>
  /** The value of `export default`. */
  default: Node | undefined
}
