import type { Wire } from './wire.ts'

/** A JSON Schema. Keywords that are not used here are kept. */
export interface Schema {
  readonly [keyword: string]: unknown
}

/** A tool as a prompt describes it: its name, description and parameters. */
export interface ToolDefinition {
  readonly name: string
  readonly description?: string
  /** JSON Schema of the arguments, which are an object. */
  readonly parameters?: Schema
}

/** A tool definition as chat APIs wrap it. */
export interface WrappedTool {
  readonly type: 'function'
  readonly function: ToolDefinition
}

/** A call to be printed. */
export interface PrintableCall {
  readonly name: string
  readonly args: Record<string, unknown>
  readonly id?: string
  /** The model wrote the id itself, so a result may repeat it: the parser did not make it with `makeId`. */
  readonly ownId?: boolean
  /** Why the model makes the call, if the protocol has a place for that. */
  readonly reasoning?: string
}

/** The parts of a prompt. `example` is one call, printed from the protocol's own picture. */
export interface PromptContext {
  readonly tools: readonly ToolDefinition[]
  readonly example: string
}

/** Describes the tools to the model, and how to call them. */
export type Prompt = (context: PromptContext) => string

/** A reply, and what must be read out of it. Every example is a test. */
export interface Example {
  /** The text of the model. */
  readonly wire: string
  readonly text?: string
  readonly reasoning?: string
  readonly calls?: readonly (readonly [name: string, args: Readonly<Record<string, unknown>>])[]
  /** The problems of the malformed segments, in order. */
  readonly malformed?: readonly string[]
  /** The repairs recorded in all calls. */
  readonly repairs?: readonly string[]
  /** The example is another way in which models write it, not what printing produces. */
  readonly variant?: true
}

/** Examples by title. A protocol's file exports them separately: they are its tests, and bundles leave them out. */
export type Examples = Readonly<Record<string, Example>>

/** The models that write a protocol. */
export interface Family {
  /** For people: which models write it, and what it looks like. */
  readonly about: string
  /** Models that write it, matched against the last part of their names, in lowercase. */
  readonly models?: readonly RegExp[]
  /** Text that occurs only in its models' chat template, if that does not contain the marks of calls as drawn. */
  readonly template?: string
}

/**
 * How one family of models writes calls. Data only: no protocol contains parsing code. Built-in protocols have neither a prompt nor
 * what is known about their family here: their files export these separately, so that programs that only parse are small.
 */
export interface Protocol<Id extends string = string> extends Partial<Family> {
  readonly id: Id
  /** One call, as the model should write it. */
  readonly call: Wire
  /** The picture around all calls of a turn, with a `calls` hole. */
  readonly section?: Wire
  /** Other ways models write calls: read, never printed. */
  readonly variants?: readonly Wire[]
  /** Variants that are damaged, or whose marks have other uses: if no protocol is named, they count only for a known tool. */
  readonly general?: readonly Wire[]
  /** How reasoning is drawn. Of several pictures, the first is printed. */
  readonly reasoning?: Wire | readonly Wire[]
  /** The picture around text for the user, in which marks are never calls. */
  readonly answer?: Wire | readonly Wire[]
  /** Marks or pictures without meaning, such as a model's end-of-turn token. */
  readonly ignore?: readonly (string | Wire)[]
  /** The separator of calls without a section around them. Default: a line break. */
  readonly separator?: string
  /** Marks are read in upper and lower case. */
  readonly anyCase?: true
  /** The id of another protocol that reads what this one writes. If none is named, only that one does. */
  readonly dialect?: string
  /** Even a picture that begins with a mark counts only at the start of a reply, and only for a known tool. */
  readonly weak?: true
  /** How a tool's output is shown to the model, and how a result that the model made up is recognized. */
  readonly result: Wire
  /** The picture around all results of a turn, with a `results` hole. */
  readonly results?: Wire
  /** How a failure is shown, if that differs from a result. If results show failures, only how an invalid call is answered. */
  readonly error?: Wire
  readonly prompt?: Prompt
}
