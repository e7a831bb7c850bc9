import type { Wire } from './wire.ts'

/** A JSON Schema, as far as it is looked at here. Anything else in it is carried along. */
export interface Schema {
  readonly [keyword: string]: unknown
}

/** A tool as the model is told of it. */
export interface ToolDefinition {
  readonly name: string
  readonly description?: string
  /** JSON Schema of the arguments, an object. */
  readonly parameters?: Schema
}

/** The same as chat APIs are told of it. */
export interface WrappedTool {
  readonly type: 'function'
  readonly function: ToolDefinition
}

/** What a call to be printed needs. */
export interface PrintableCall {
  readonly name: string
  readonly args: Record<string, unknown>
  readonly id?: string
  readonly reasoning?: string
}

/** What a prompt is drawn from. `example` is one call, printed from the protocol's own picture. */
export interface PromptContext {
  readonly tools: readonly ToolDefinition[]
  readonly example: string
}

/** A reply and what must be read out of it. Every example is a test. */
export interface Example {
  /** What the model writes. */
  readonly wire: string
  readonly text?: string
  readonly reasoning?: string
  readonly calls?: readonly (readonly [name: string, args: Readonly<Record<string, unknown>>])[]
  /** The problems of the malformed segments, in order. */
  readonly malformed?: readonly string[]
  /** The repairs recorded, over all calls. */
  readonly repairs?: readonly string[]
  /** Set where the example is not what printing writes: another way models write it. */
  readonly variant?: true
}

/** Replies by what they show. A protocol's file exports them beside it: they are its tests, and no part of a bundle. */
export type Examples = Readonly<Record<string, Example>>

/** How one family of models writes calls. Data only: no protocol contains parsing code. */
export interface Protocol<Id extends string = string> {
  readonly id: Id
  /** One sentence for people: who writes like this. */
  readonly about: string
  /** One call, as the model should write it. */
  readonly call: Wire
  /** What wraps all calls of a turn, with a `calls` hole. */
  readonly section?: Wire
  /** Other ways models write calls: read, never printed. */
  readonly variants?: readonly Wire[]
  /** Variants whose marks others use for other things: where no protocol is named, they count only for a known tool. */
  readonly general?: readonly Wire[]
  /** How thoughts are drawn; of several pictures the first is printed. */
  readonly reasoning?: Wire | readonly Wire[]
  /** What is drawn around text for a person, where marks of calls are never meant. */
  readonly answer?: Wire | readonly Wire[]
  /** Marks or pictures that carry nothing, such as a model's end-of-turn token. */
  readonly ignore?: readonly (string | Wire)[]
  /** What stands between calls where no section is around them; a line break, if not told. */
  readonly separator?: string
  /** Marks are read in any case. */
  readonly anyCase?: true
  /** The id of another protocol that reads what this one writes: where none is named, that one does. */
  readonly dialect?: string
  /** Even a picture that begins with a mark counts only as the first thing in a reply, for a known tool. */
  readonly weak?: true
  /** How a tool's output is shown to the model; also how a result that the model forged is recognised. */
  readonly result: Wire
  /** What wraps all results of a turn, with a `results` hole. */
  readonly results?: Wire
  /** How a call that could not be run is answered, where that differs from a result. */
  readonly error?: Wire
  /** What tells the model of its tools and of how to call them. */
  readonly prompt: (context: PromptContext) => string
  /** Models that write so, matched against their names in small letters, without what stands before the last `/`. */
  readonly models?: readonly RegExp[]
  /** What only its models' chat template holds, where that does not write the marks of calls as they are drawn. */
  readonly template?: string
}
