import type { Api } from './api.ts'
import { chatCompletions } from './chat-completions/chat-completions.ts'

/** The APIs that the gateway speaks. */
export const apis: readonly Api[] = [chatCompletions]
