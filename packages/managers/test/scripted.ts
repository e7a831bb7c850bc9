import { type Mock, vi } from 'vitest'
import type { ILLMManager } from '../src/index.ts'

/** A fake LLM manager with these replies in order. */
export function scripted(...replies: string[]): { readonly call: Mock<ILLMManager['call']> } {
  const call = vi.fn<ILLMManager['call']>()
  for (const reply of replies) call.mockResolvedValueOnce(reply)
  return { call }
}

/** A call in the form that a model writes. */
export function writtenCall(tool: string, args: object = {}): string {
  return `<PTK_CALL>${JSON.stringify({ tool, args })}</PTK_CALL>`
}
