import type { Wire } from './wire.ts'

/** A JSON Schema. Keywords unknown to this type are kept. */
export interface Schema {
  readonly [keyword: string]: unknown
}

/** A tool as described in a prompt: its name, description and parameters. */
export interface ToolDefinition {
  readonly name: string
  readonly description?: string
  /** The JSON Schema of the arguments, which are an object. */
  readonly parameters?: Schema
}

/** A tool definition as chat APIs wrap it. */
export interface WrappedTool {
  readonly type: 'function'
  readonly function: ToolDefinition
}

/** A call to print. */
export interface PrintableCall {
  readonly name: string
  readonly args: Record<string, unknown>
  readonly id?: string
  /**
   * True if the model wrote the id, so a result may repeat it; otherwise the parser made it with
   * `makeId`.
   */
  readonly ownId?: boolean
  /** The model's reason for the call, if the protocol has a place for it. */
  readonly reasoning?: string
}

/** The parts of a prompt. `example` is one call, printed from the protocol's own picture. */
export interface PromptContext {
  readonly tools: readonly ToolDefinition[]
  readonly example: string
}

/** Prints the part of a prompt that describes the tools and how to call them. */
export type Prompt = (context: PromptContext) => string

/** A reply and the calls expected from it. Every example is a test. */
export interface Example {
  /** The model's text. */
  readonly wire: string
  readonly text?: string
  readonly reasoning?: string
  readonly calls?: readonly (readonly [name: string, args: Readonly<Record<string, unknown>>])[]
  /** The problems of the malformed segments, in order. */
  readonly malformed?: readonly string[]
  /** The repairs of all calls. */
  readonly repairs?: readonly string[]
  /** The example shows a variant that models write, not the form that is printed. */
  readonly variant?: true
}

/**
 * Examples by title. A protocol's file exports them separately because they are its tests, so
 * bundles omit them.
 */
export type Examples = Readonly<Record<string, Example>>

/** The models that write a protocol. */
export interface Family {
  /** A description for users: the models that write it, and its form. */
  readonly about: string
  /**
   * Patterns for the models that write it, matched against the last part of a name in lowercase.
   */
  readonly models?: readonly RegExp[]
  /**
   * Text that occurs only in the chat template of its models. Needed if that template does not
   * contain the marks of calls as drawn.
   */
  readonly template?: string
}

/**
 * The format in which one family of models writes calls. Data only: no protocol contains parsing
 * code. Built-in protocols have neither a prompt nor family data here; their files export these
 * separately to keep programs that only parse small.
 */
export interface Protocol<Id extends string = string> extends Partial<Family> {
  readonly id: Id
  /** One call in its standard form. */
  readonly call: Wire
  /** The picture around all calls of a turn, with a `calls` hole. */
  readonly section?: Wire
  /** Other ways models write calls: read, never printed. */
  readonly variants?: readonly Wire[]
  /**
   * Damaged variants, and variants whose marks have other uses. If no protocol is selected, they
   * count only for a known tool.
   */
  readonly general?: readonly Wire[]
  /** The picture of reasoning. Of several pictures, the first is printed. */
  readonly reasoning?: Wire | readonly Wire[]
  /** The picture around text for the user. Marks in it are never calls. */
  readonly answer?: Wire | readonly Wire[]
  /** Marks or pictures without meaning, such as a model's end-of-turn token. */
  readonly ignore?: readonly (string | Wire)[]
  /** The separator of calls that have no section around them. Default: a line break. */
  readonly separator?: string
  /** Ignore the case of marks. */
  readonly anyCase?: true
  /**
   * The id of another protocol that reads the same text. If no protocol is selected, only that
   * protocol is used.
   */
  readonly dialect?: string
  /**
   * A picture counts only at the start of a reply and only for a known tool, even if it begins with
   * a mark.
   */
  readonly weak?: true
  /** The picture of a tool's output. It also recognizes results that the model made up. */
  readonly result: Wire
  /** The picture around all results of a turn, with a `results` hole. */
  readonly results?: Wire
  /**
   * The picture of a failure, if it differs from a result. If results show failures, it is used
   * only to answer invalid calls.
   */
  readonly error?: Wire
  readonly prompt?: Prompt
}
