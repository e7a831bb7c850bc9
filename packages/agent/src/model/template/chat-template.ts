import type { ToolDefinition } from '@toolglot/core'
import { type ChatShape, findChatShape } from './chat-shape.ts'
import {
  type ChatMessageInput,
  type ChatVariables,
  messagesFor,
  variablesOf,
} from './chat-variables.ts'
import { renderTemplate } from './render-template.ts'

/** A conversation to be rendered with a chat template. */
export interface TemplateChat {
  readonly messages: readonly ChatMessageInput[]
  readonly tools?: readonly ToolDefinition[] | undefined
  /** Whether the model may think before it replies, if the template can tell it. Default: true. */
  readonly thinking?: boolean | undefined
}

/** A model's chat template, and in which form it reads conversations. */
export interface ChatTemplate {
  readonly shape: ChatShape
  /** The prompt, up to where the model's reply begins. */
  render(chat: TemplateChat): string
}

/** Prepares a chat template. Throws nothing: a template that cannot be rendered fails when it is. */
export function createChatTemplate(source: string, variables: ChatVariables = {}): ChatTemplate {
  let found: ChatShape | undefined
  const shapeOf = (): ChatShape => (found ??= knownShape(source, variables))
  return {
    get shape() {
      return shapeOf()
    },
    render({ messages, tools = [], thinking = true }) {
      const chat = { messages: messagesFor(messages, shapeOf()), tools, thinking }
      const { date } = variables
      return renderTemplate(source, {
        variables: variablesOf(chat, shapeOf(), variables),
        ...(date && { date }),
      })
    },
  }
}

/** The form of a template, from the last few that were found. */
function knownShape(source: string, variables: ChatVariables): ChatShape {
  const { bosToken, eosToken, more } = variables
  const key = JSON.stringify([bosToken, eosToken, more, source])
  const shape = shapes.get(key) ?? findChatShape(source, variables)
  if (shapes.size >= MAX_SHAPES) shapes.clear()
  shapes.set(key, shape)
  return shape
}

const shapes = new Map<string, ChatShape>()
const MAX_SHAPES = 16
